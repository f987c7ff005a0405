// SPDX-License-Identifier: Apache-2.0
int call();
int main()
{
    return call() != 26;
}
