// RankMass, Figure 5, to the letter, in C++: the greatest mass of all pages is pushed next, from an indexed binary heap.
// Arguments: three files of 32-bit numbers (offsets and targets of the graph, trusted pages), damping, goal, runs.
// Prints CPU seconds of the best run, downloads and arc updates.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Numbers = std::vector<uint32_t>;

static double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static Numbers read(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) exit(1);
  fseek(file, 0, SEEK_END);
  Numbers numbers(ftell(file) / 4);
  rewind(file);
  if (fread(numbers.data(), 4, numbers.size(), file) != numbers.size()) exit(1);
  fclose(file);
  return numbers;
}

struct Heap {
  std::vector<double> waiting;
  Numbers pages;
  std::vector<int32_t> places;

  explicit Heap(size_t count) : waiting(count, 0.0), places(count, -1) { pages.reserve(count); }

  void raise(uint32_t page) {
    if (places[page] < 0) {
      places[page] = pages.size();
      pages.push_back(page);
    }
    size_t place = places[page];
    const double key = waiting[page];
    while (place > 0) {
      const size_t parent = (place - 1) / 2;
      if (waiting[pages[parent]] >= key) break;
      put(place, pages[parent]);
      place = parent;
    }
    put(place, page);
  }

  uint32_t pop() {
    const uint32_t top = pages[0];
    const uint32_t page = pages.back();
    pages.pop_back();
    places[top] = -1;
    if (pages.empty()) return top;
    const double key = waiting[page];
    size_t place = 0;
    for (;;) {
      size_t child = 2 * place + 1;
      if (child >= pages.size()) break;
      if (child + 1 < pages.size() && waiting[pages[child + 1]] > waiting[pages[child]]) child++;
      if (waiting[pages[child]] <= key) break;
      put(place, pages[child]);
      place = child;
    }
    put(place, page);
    return top;
  }

  void put(size_t place, uint32_t page) {
    pages[place] = page;
    places[page] = place;
  }
};

int main(int, char** arguments) {
  const Numbers offsets = read(arguments[1]);
  const Numbers targets = read(arguments[2]);
  const Numbers trusted = read(arguments[3]);
  const double d = atof(arguments[4]);
  const double goal = atof(arguments[5]);
  double best = 1e9;
  long downloads = 0;
  long pushes = 0;
  for (int run = 0; run < atoi(arguments[6]); run++) {
    const double start = cpuSeconds();
    downloads = pushes = 0;
    double inside = 0;
    double ended = 0;
    Heap heap(offsets.size() - 1);
    std::vector<uint8_t> isDownloaded(offsets.size() - 1, 0);
    for (uint32_t page : trusted) {
      heap.waiting[page] += (1 - d) / trusted.size();
      heap.raise(page);
    }
    while (!heap.pages.empty() && heap.waiting[heap.pages[0]] > 0) {
      const uint32_t page = heap.pages[0];
      if (!isDownloaded[page]) {
        if (inside / (1 - ended * d / (1 - d)) >= goal) break;
        isDownloaded[page] = 1;
        downloads++;
      }
      heap.pop();
      const double mass = heap.waiting[page];
      heap.waiting[page] = 0;
      inside += mass;
      const uint32_t links = offsets[page + 1] - offsets[page];
      if (links == 0) ended += mass;
      const double share = d * mass / links;
      pushes += links;
      for (uint32_t arc = offsets[page]; arc < offsets[page + 1]; arc++) {
        heap.waiting[targets[arc]] += share;
        heap.raise(targets[arc]);
      }
    }
    best = std::min(best, cpuSeconds() - start);
  }
  printf("{\"seconds\": %.6f, \"downloads\": %ld, \"pushes\": %ld}\n", best, downloads, pushes);
}
