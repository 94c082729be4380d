/*
 * Observes and slows the writes of a process to one directory (LD_PRELOAD, Linux). Environment:
 *   SLOW_DISK_DIR      the directory. Files whose name ends in `-shm`, `-journal` or `.lock` do not count: a restart
 *                      makes them anew.
 *   SLOW_DISK_SYNC_MS  additional time of each sync. Optional.
 *   SLOW_DISK_COPY     a directory for copies of the files that contain only what a completed sync covered: what a power
 *                      failure would leave. Optional.
 *   SLOW_DISK_COUNTS   a file for three 64-bit numbers: writes, bytes written, and syncs. Optional.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { max_descriptors = 65536 };

/* A write that no sync has covered yet, or the new length of the file (without data). */
struct change {
  struct change *next;
  off_t offset;
  size_t length;
  char *data;
};

struct file {
  struct file *next;
  char name[NAME_MAX + 1];
  int copy;
  struct change *first, **last;
};

struct counts {
  uint64_t writes, bytes, syncs;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct file *files, *opened[max_descriptors];
static struct counts ignored, *counts = &ignored;
static char directory[PATH_MAX];

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void start(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  const char *name = getenv("SLOW_DISK_DIR");
  if (name) realpath(name, directory);
  const char *path = getenv("SLOW_DISK_COUNTS");
  if (!path) return;
  int descriptor = real_open(path, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || real_ftruncate(descriptor, sizeof ignored)) abort();
  counts = mmap(NULL, sizeof ignored, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (counts == MAP_FAILED) abort();
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && !strcmp(text + length - end_length, end);
}

/* The file of a path in the directory. NULL if it does not count. */
static struct file *find_file(const char *path) {
  char real[PATH_MAX];
  size_t length = strlen(directory);
  if (!length || !realpath(path, real) || strncmp(real, directory, length) || real[length] != '/') return NULL;
  const char *name = real + length + 1;
  if (strchr(name, '/') || ends_with(name, "-shm") || ends_with(name, "-journal") || ends_with(name, ".lock")) return NULL;
  for (struct file *file = files; file; file = file->next)
    if (!strcmp(file->name, name)) return file;
  struct file *file = calloc(1, sizeof *file);
  strcpy(file->name, name);
  file->last = &file->first;
  file->next = files;
  file->copy = -1;
  const char *copies = getenv("SLOW_DISK_COPY");
  if (copies) {
    char target[2 * PATH_MAX];
    snprintf(target, sizeof target, "%s/%s", copies, name);
    file->copy = real_open(target, O_RDWR | O_CREAT, 0600);
    if (file->copy < 0) abort();
  }
  return files = file;
}

static void add_change(struct file *file, const void *data, size_t length, off_t offset) {
  if (file->copy < 0) return;
  struct change *change = calloc(1, sizeof *change);
  change->offset = offset;
  change->length = length;
  if (data) change->data = memcpy(malloc(length + 1), data, length);
  *file->last = change;
  file->last = &change->next;
}

static void apply(struct file *file, struct change *change) {
  while (change) {
    struct change *next = change->next;
    if (!change->data) real_ftruncate(file->copy, change->offset);
    else if (real_pwrite(file->copy, change->data, change->length, change->offset) < 0) abort();
    free(change->data);
    free(change);
    change = next;
  }
}

static int sync_file(int descriptor, int (*real)(int)) {
  struct file *file = descriptor >= 0 && descriptor < max_descriptors ? opened[descriptor] : NULL;
  if (!file) return real(descriptor);
  /* Covers the changes before its start. */
  pthread_mutex_lock(&mutex);
  counts->syncs += 1;
  struct change *covered = file->first;
  file->first = NULL;
  file->last = &file->first;
  pthread_mutex_unlock(&mutex);
  const char *delay = getenv("SLOW_DISK_SYNC_MS");
  long micros = delay ? atol(delay) * 1000 : 0;
  struct timespec wait = {micros / 1000000, micros % 1000000 * 1000};
  while (nanosleep(&wait, &wait) && errno == EINTR);
  int result = real(descriptor);
  pthread_mutex_lock(&mutex);
  apply(file, covered);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int open_file(const char *path, int flags, mode_t mode) {
  int descriptor = real_open(path, flags, mode);
  if (descriptor < 0 || descriptor >= max_descriptors) return descriptor;
  int error = errno;
  pthread_mutex_lock(&mutex);
  opened[descriptor] = find_file(path);
  pthread_mutex_unlock(&mutex);
  errno = error;
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(path, flags, mode);
}

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < max_descriptors) opened[descriptor] = NULL;
  return real_close(descriptor);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off_t offset) {
  ssize_t written = real_pwrite(descriptor, data, length, offset);
  struct file *file = descriptor >= 0 && descriptor < max_descriptors ? opened[descriptor] : NULL;
  if (!file || written <= 0) return written;
  pthread_mutex_lock(&mutex);
  counts->writes += 1;
  counts->bytes += (uint64_t)written;
  add_change(file, data, (size_t)written, offset);
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
  return pwrite64(descriptor, data, length, offset);
}

int ftruncate64(int descriptor, off_t length) {
  int result = real_ftruncate(descriptor, length);
  struct file *file = descriptor >= 0 && descriptor < max_descriptors ? opened[descriptor] : NULL;
  if (!file || result) return result;
  pthread_mutex_lock(&mutex);
  add_change(file, NULL, 0, length);
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }
int fsync(int descriptor) { return sync_file(descriptor, real_fsync); }
int fdatasync(int descriptor) { return sync_file(descriptor, real_fdatasync); }
