# Writes the file IN as a C array NAME with its length NAME_size to OUT.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "const unsigned char ${NAME}[] = {\n${bytes}};\nconst unsigned ${NAME}_size = sizeof ${NAME};\n")
