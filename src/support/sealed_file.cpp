#include "support/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>

#include "support/errors.hpp"

namespace fathom {

namespace {

constexpr std::size_t letters = 8;
constexpr std::size_t buffer_size = std::size_t{1} << 20;
constexpr int fast = 1;  // of zstd: states in order of insertion are alike, and a higher level gains little
constexpr std::uint64_t longest = std::uint64_t{1} << 32;  // of a text or a list: more is damage that no seal shows

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
using Hasher = std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)>;

Hasher make_hasher() {
  Hasher hasher(XXH3_createState(), XXH3_freeState);
  if (hasher == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(hasher.get());
  return hasher;
}

std::string system_message() {
  return std::strerror(errno);
}

// What a finished file takes the place of: behind links, even if there is nothing yet.
std::filesystem::path place_for(std::filesystem::path path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw EnvironmentError(fmt::format("cannot write {}: it is there, and no regular file", path.string()));
  if (status.type() == std::filesystem::file_type::none)  // links in a circle, for example
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), error.message()));
  for (;;) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;  // it is no link
    path = path.parent_path() / target;
  }
  return path;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

constexpr std::string_view unfinished = ".unfinished";

std::filesystem::path unfinished_name(const std::filesystem::path& path) {
  return fmt::format("{}.{}{}", path.string(), ::getpid(), unfinished);
}

// Of the process that the file is of, by its name; 0: it is not an unfinished version of the other one.
pid_t writer_of(const std::string& name, const std::string& finished) {
  if (!name.starts_with(finished + ".") || !name.ends_with(unfinished)) return 0;
  pid_t writer = 0;
  const char* const end = name.data() + name.size() - unfinished.size();
  const auto [rest, error] = std::from_chars(name.data() + finished.size() + 1, end, writer);
  return error == std::errc() && rest == end ? writer : 0;
}

// The name of a file is safe when its folder is on the disk.
void flush_folder(const std::filesystem::path& path) {
  const int handle = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

bool is_sealed_file(const std::filesystem::path& path, const FileKind& kind) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(letters, 0);
  return file.read(begin.data(), letters) && begin == kind.letters;
}

void remove_unfinished_files(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path place = place_for(path);
  std::vector<std::filesystem::path> found;
  for (auto file = std::filesystem::directory_iterator(folder_of(place), ignored);
       file != std::filesystem::directory_iterator(); file.increment(ignored)) {
    const pid_t writer = writer_of(file->path().filename(), place.filename());
    if (writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH) found.push_back(file->path());
  }
  for (const std::filesystem::path& file : found) std::filesystem::remove(file, ignored);
}

struct SealedWriter::Parts {
  File file{nullptr, std::fclose};
  Hasher hasher = make_hasher();
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> compressor{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::vector<char> out = std::vector<char>(buffer_size);
};

SealedWriter::SealedWriter(const std::filesystem::path& path, const FileKind& kind)
    : path_(place_for(path)), unfinished_(unfinished_name(path_)), parts_(new Parts) {
  parts_->file.reset(std::fopen(unfinished_.c_str(), "wb"));
  if (parts_->file == nullptr)
    throw EnvironmentError(fmt::format("cannot write {}: {}", unfinished_.string(), system_message()));
  if (parts_->compressor == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(parts_->compressor.get(), ZSTD_c_compressionLevel, fast);
  write(kind.letters.data(), letters);
  const std::uint64_t version = kind.version;
  write(&version, sizeof version);
}

SealedWriter::~SealedWriter() {
  if (parts_->file == nullptr) return;
  parts_->file.reset();
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);
}

void SealedWriter::write(const void* data, std::size_t size) {
  XXH3_64bits_update(parts_->hasher.get(), data, size);
  if (std::fwrite(data, 1, size, parts_->file.get()) != size)
    throw EnvironmentError(fmt::format("cannot write {}: {}", unfinished_.string(), system_message()));
}

void SealedWriter::compress(const void* data, std::size_t size, bool last) {
  ZSTD_inBuffer in{data, size, 0};
  for (std::size_t left = 1; in.pos < in.size || (last && left != 0);) {
    ZSTD_outBuffer out{parts_->out.data(), parts_->out.size(), 0};
    left = ZSTD_compressStream2(parts_->compressor.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0)
      throw EnvironmentError(fmt::format("cannot compress {}: {}", path_.string(), ZSTD_getErrorName(left)));
    write(parts_->out.data(), out.pos);
  }
}

void SealedWriter::words(std::span<const std::uint64_t> words) {
  compress(words.data(), words.size_bytes(), false);
}

void SealedWriter::text(std::string_view text) {
  number(text.size());
  compress(text.data(), text.size(), false);
}

void SealedWriter::list(std::span<const std::uint64_t> list) {
  number(list.size());
  words(list);
}

void SealedWriter::bytes(std::span<const std::uint8_t> bytes) {
  compress(bytes.data(), bytes.size(), false);
}

void SealedWriter::byte_list(std::span<const std::uint8_t> list) {
  number(list.size());
  bytes(list);
}

void SealedWriter::commit() {
  compress(nullptr, 0, true);
  const std::uint64_t seal = XXH3_64bits_digest(parts_->hasher.get());
  write(&seal, sizeof seal);
  std::FILE* const file = parts_->file.get();
  if (std::fflush(file) != 0 || ::fsync(::fileno(file)) != 0)
    throw EnvironmentError(fmt::format("cannot write {}: {}", unfinished_.string(), system_message()));
  if (::rename(unfinished_.c_str(), path_.c_str()) != 0)
    throw EnvironmentError(fmt::format("cannot write {}: {}", path_.string(), system_message()));
  parts_->file.reset();
  flush_folder(path_);
}

struct SealedReader::Parts {
  File file{nullptr, std::fclose};
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> decompressor{ZSTD_createDCtx(), ZSTD_freeDCtx};
  std::vector<char> in = std::vector<char>(buffer_size);
  ZSTD_inBuffer waiting{nullptr, 0, 0};
  std::uint64_t left = 0;  // compressed bytes of the file
};

SealedReader::SealedReader(const std::filesystem::path& path, const FileKind& kind)
    : path_(path), name_(kind.name), parts_(new Parts) {
  parts_->file.reset(std::fopen(path.c_str(), "rb"));
  if (parts_->file == nullptr)
    throw EnvironmentError(fmt::format("cannot read {}: {}", path.string(), system_message()));
  char found[letters];
  std::uint64_t version = 0;
  std::FILE* const file = parts_->file.get();
  if (std::fread(found, 1, letters, file) != letters ||
      std::fread(&version, 1, sizeof version, file) != sizeof version ||
      std::string_view(found, letters) != kind.letters)
    refuse("is none");
  if (version != kind.version)
    refuse(fmt::format("is of version {}, and this program reads version {}", version, kind.version));
  check_seal();
}

SealedReader::~SealedReader() = default;

void SealedReader::refuse(std::string_view why) const {
  throw EnvironmentError(fmt::format("the {} {} {}", name_, path_.string(), why));
}

// Reads everything once, before anything of it is believed.
void SealedReader::check_seal() {
  std::FILE* const file = parts_->file.get();
  constexpr std::size_t head = letters + sizeof(std::uint64_t);
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  std::rewind(file);
  if (size < static_cast<long>(head + sizeof(std::uint64_t))) refuse("is cut short");
  const Hasher hasher = make_hasher();
  for (std::uint64_t left = static_cast<std::uint64_t>(size) - sizeof(std::uint64_t); left > 0;) {
    const std::size_t count = std::fread(parts_->in.data(), 1, std::min<std::uint64_t>(left, buffer_size), file);
    if (count == 0) refuse("cannot be read");
    XXH3_64bits_update(hasher.get(), parts_->in.data(), count);
    left -= count;
  }
  std::uint64_t seal = 0;
  if (std::fread(&seal, 1, sizeof seal, file) != sizeof seal || seal != XXH3_64bits_digest(hasher.get()))
    refuse("is damaged");
  std::fseek(file, head, SEEK_SET);
  parts_->left = static_cast<std::uint64_t>(size) - head - sizeof seal;
}

std::size_t SealedReader::decompress(void* data, std::size_t size) {
  ZSTD_outBuffer out{data, size, 0};
  while (out.pos < out.size) {
    ZSTD_inBuffer& in = parts_->waiting;
    if (in.pos == in.size && parts_->left > 0) {
      const std::size_t count =
          std::fread(parts_->in.data(), 1, std::min<std::uint64_t>(parts_->left, buffer_size), parts_->file.get());
      if (count == 0) refuse("cannot be read");
      parts_->left -= count;
      in = {parts_->in.data(), count, 0};
    }
    const std::size_t before = out.pos, taken = in.pos;
    const std::size_t result = ZSTD_decompressStream(parts_->decompressor.get(), &out, &in);
    if (ZSTD_isError(result) != 0) refuse("is damaged");
    if (out.pos == before && in.pos == taken && parts_->left == 0) break;
  }
  return out.pos;
}

void SealedReader::take(void* data, std::size_t size) {
  if (decompress(data, size) != size) refuse("is cut short");
}

std::uint64_t SealedReader::number() {
  std::uint64_t value = 0;
  take(&value, sizeof value);
  return value;
}

void SealedReader::words(std::span<std::uint64_t> words) {
  take(words.data(), words.size_bytes());
}

void SealedReader::bytes(std::span<std::uint8_t> bytes) {
  take(bytes.data(), bytes.size());
}

std::string SealedReader::text() {
  const std::uint64_t size = number();
  if (size > longest) refuse("is damaged");
  std::string text(size, '\0');
  take(text.data(), size);
  return text;
}

std::vector<std::uint64_t> SealedReader::list() {
  const std::uint64_t size = number();
  if (size > longest) refuse("is damaged");
  std::vector<std::uint64_t> list(size);
  words(list);
  return list;
}

void SealedReader::list(PlainList<std::uint64_t>& list) {
  const std::uint64_t size = number();
  if (size > longest) refuse("is damaged");
  list.resize(size);
  words({list.data(), size});
}

std::vector<std::uint8_t> SealedReader::byte_list() {
  const std::uint64_t size = number();
  if (size > longest) refuse("is damaged");
  std::vector<std::uint8_t> list(size);
  take(list.data(), list.size());
  return list;
}

void SealedReader::expect_end() {
  char more = 0;
  if (decompress(&more, 1) != 0) refuse("has something after its end");
}

}  // namespace fathom
