"""ipython-sql: queries as tables, frames and variables, and an error in one; pandas"""
# %%
%load_ext sql
%sql sqlite://
# %%
%%sql
create table t (a int, b text);
insert into t values (1, 'x'), (2, 'y');
# %%
least = 1
r = %sql select * from t where a > :least
type(r).__name__, r.dict()
# %%
%%sql kept <<
select count(*) as n from t
# %%
kept
# %%
%config SqlMagic.displaylimit = 1
%config SqlMagic.style = 'PLAIN_COLUMNS'
# %%
%sql select * from nosuch
