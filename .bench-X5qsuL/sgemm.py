import time
import numpy
a, b = (numpy.random.rand(192, 192).astype(numpy.float32) for _ in range(2))
c = numpy.empty_like(a)
end, count, begin = time.time() + 1, 0, time.time()
while time.time() < end:
    for _ in range(50):
        numpy.matmul(a, b, out=c)
    count += 50
print(count * 2 * 192 ** 3 / (time.time() - begin) / 1e6)
