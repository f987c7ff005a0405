heddle_unit_test(device device.c LIBS heddle_device)
