"""jupysql: queries, saved and used again, as frames and plots; pandas, matplotlib"""
# %%
%load_ext sql
%sql sqlite://
# %%
%%sql
create table t (a int, b text);
insert into t values (1, 'x'), (2, 'y');
select * from t
# %%
%%sql --save q
select * from t where a > 1
# %%
%%sql --with q
select * from q
# %%
r = %sql select * from t
r.DataFrame()
# %%
%sqlcmd tables
# %%
%sqlplot bar --table t --column a
# %%
%config SqlMagic.autopandas = True
%sql select * from t
# %%
%sql?
