// SPDX-License-Identifier: Apache-2.0
// A template of number.h: what engine.h declares for each type.

// Rows of elements that grow; row i ends where the next one begins.
struct FN(sparse_rows) {
    int64_t *offsets, n, room;
    int *cols;
    T *values;
};

struct FN(sparse_lu) {
    int n;
    struct FN(sparse_rows) l, u; // columns are places in q; l without its diagonal, u begins with it
    int *p, *q, *place;          // place[column] in q
};
// positive: Cholesky. threshold: how much smaller than the largest one the element on the diagonal may be. A pivot that is 0 (or, of Cholesky, not
// positive) is kept as it is, and *singular is the first place of one that is not larger than tol; -1: none.
enum sparse_result FN(sparse_lu_factor)(struct FN(sparse_lu) * f, const struct pattern *a, const T *values, T shift,
                                        int reorder, bool positive, double threshold, double tol, int *singular);
void FN(sparse_lu_free)(struct FN(sparse_lu) * f);
bool FN(sparse_lu_solve)(const struct FN(sparse_lu) * f, const T *b, T *x); // false: no memory

struct FN(sparse_rotation) {
    int row; // of R
    R c;     // 2: the row becomes row `row` of R
    T s;
};
struct FN(sparse_qr) {
    int m, n;
    int *lengths, **cols; // rows of R; NULL: there is none
    T **values;
    struct FN(sparse_rotation) * rotations;
    int64_t count, room;
    int64_t *ends; // of the rotations of each row of A
    int *p;        // order of the rows and, of square matrices, of the columns
    int *place;    // of columns
};
// Columns in the order of p where reorder is not 0, for square matrices. *singular: the first diagonal element that is not larger than tol.
enum sparse_result FN(sparse_qr_factor)(struct FN(sparse_qr) * f, int m, const struct pattern *a, int n,
                                        const T *values, T shift, int reorder);
int FN(sparse_qr_singular)(const struct FN(sparse_qr) * f, double tol, int *rank);
void FN(sparse_qr_free)(struct FN(sparse_qr) * f);
// Least squares where m > n; *rest: the norm of what is left. Unknowns whose diagonal element is not larger than tol are 0.
bool FN(sparse_qr_solve)(const struct FN(sparse_qr) * f, const T *b, T *x, double tol, double *rest);
