int call();
int main()
{
    return call() != 26;
}
