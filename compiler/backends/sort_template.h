// SPDX-License-Identifier: MIT
// Sorting of items of type ITEM in the order of LESS(a, b), as functions named
// NAME(what). Included once for each type of items.

static void NAME(insert)(ITEM *a, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        ITEM item = a[i];
        int64_t j = i;
        for (; j > 0 && LESS(item, a[j - 1]); j--)
            a[j] = a[j - 1];
        a[j] = item;
    }
}

static void NAME(sift)(ITEM *a, int64_t start, int64_t n)
{
    ITEM item = a[start];
    int64_t child;
    while ((child = 2 * start + 1) < n) {
        if (child + 1 < n && LESS(a[child], a[child + 1]))
            child++;
        if (!LESS(item, a[child]))
            break;
        a[start] = a[child];
        start = child;
    }
    a[start] = item;
}

static void NAME(heap)(ITEM *a, int64_t n)
{
    for (int64_t i = n / 2; i-- > 0;)
        NAME(sift)(a, i, n);
    for (int64_t end = n; end-- > 1;) {
        ITEM item = a[end];
        a[end] = a[0];
        a[0] = item;
        NAME(sift)(a, 0, end);
    }
}

static void NAME(order)(ITEM *a, ITEM *b)
{
    if (LESS(*b, *a)) {
        ITEM item = *a;
        *a = *b;
        *b = item;
    }
}

// Splits around the median of three: nothing in a[0..*end] is greater than anything from
// a[*start] on.
static void NAME(split)(ITEM *a, int64_t n, int64_t *end, int64_t *start)
{
    NAME(order)(&a[0], &a[n / 2]);
    NAME(order)(&a[n / 2], &a[n - 1]);
    NAME(order)(&a[0], &a[n / 2]);
    ITEM pivot = a[n / 2];
    int64_t i = 0, j = n - 1;
    while (i <= j) {
        while (LESS(a[i], pivot))
            i++;
        while (LESS(pivot, a[j]))
            j--;
        if (i <= j) {
            ITEM item = a[i];
            a[i++] = a[j];
            a[j--] = item;
        }
    }
    *end = j;
    *start = i;
}

static void NAME(sort)(ITEM *a, int64_t n, int depth)
{
    while (n > FEW) {
        int64_t end, start;
        if (depth-- == 0) {
            NAME(heap)(a, n);
            return;
        }
        NAME(split)(a, n, &end, &start);
        if (end + 1 < n - start) {
            NAME(sort)(a, end + 1, depth);
            a += start;
            n -= start;
        } else {
            NAME(sort)(a + start, n - start, depth);
            n = end + 1;
        }
    }
    NAME(insert)(a, n);
}

// Brings into place k the item that sorting brings there, smaller ones before it.
static void NAME(select)(ITEM *a, int64_t n, int64_t k, int depth)
{
    while (n > FEW) {
        int64_t end, start;
        if (depth-- == 0) {
            NAME(heap)(a, n);
            return;
        }
        NAME(split)(a, n, &end, &start);
        if (k <= end) {
            n = end + 1;
        } else if (k >= start) {
            a += start;
            k -= start;
            n -= start;
        } else {
            return;
        }
    }
    NAME(insert)(a, n);
}

static void NAME(merge)(
        const ITEM *a, const int64_t *from, int64_t *to, int64_t middle, int64_t n)
{
    int64_t i = 0, j = middle;
    for (int64_t k = 0; k < n; k++) {
        bool takes_right = i >= middle || (j < n && LESS(a[from[j]], a[from[i]]));
        to[k] = takes_right ? from[j++] : from[i++];
    }
}

// Stable: equal items stay in the order that `index` has them in.
static void NAME(argsort)(const ITEM *a, int64_t *index, int64_t *scratch, int64_t n)
{
    for (int64_t start = 0; start < n; start += FEW)
        for (int64_t i = start + 1; i < n && i < start + FEW; i++) {
            int64_t item = index[i], j = i;
            for (; j > start && LESS(a[item], a[index[j - 1]]); j--)
                index[j] = index[j - 1];
            index[j] = item;
        }
    for (int64_t width = FEW; width < n; width *= 2) {
        for (int64_t start = 0; start < n; start += 2 * width) {
            int64_t len = n - start < 2 * width ? n - start : 2 * width;
            NAME(merge)
            (a, index + start, scratch + start, len < width ? len : width, len);
        }
        memcpy(index, scratch, (size_t)n * sizeof *index);
    }
}
#undef ITEM
#undef LESS
#undef NAME
