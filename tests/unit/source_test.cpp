#include "support/source.hpp"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Sources, CountsLinesAndColumnsFromOne) {
  Sources sources;
  const FileId file = sources.add("a.m", "one\ntwo\n");
  EXPECT_EQ(sources.location({file, 0, 1}), "a.m:1:1");
  EXPECT_EQ(sources.location({file, 5, 6}), "a.m:2:2");
  EXPECT_EQ(sources.location({file, 8, 8}), "a.m:3:1");
}

TEST(Sources, CountsColumnsInCharactersAndNotInBytes) {
  Sources sources;
  const FileId file = sources.add("a.m", "x ≔ y");
  EXPECT_EQ(sources.position(file, 6).column, 5U);
}

TEST(Sources, ClampsPlacesBehindTheEnd) {
  Sources sources;
  const FileId file = sources.add("a.m", "ab");
  EXPECT_EQ(sources.location({file, 90, 99}), "a.m:1:3");
  EXPECT_EQ(sources.text({file, 1, 99}), "b");
  EXPECT_EQ(sources.text({file, 5, 2}), "");
}

TEST(Sources, GivesLinesWithoutTheirBreak) {
  Sources sources;
  const FileId file = sources.add("a.m", "one\r\n\nthree");
  EXPECT_EQ(sources.line(file, 1), "one");
  EXPECT_EQ(sources.line(file, 2), "");
  EXPECT_EQ(sources.line(file, 3), "three");
  EXPECT_EQ(sources.line(file, 4), "");
  EXPECT_EQ(sources.line(file, 0), "");
}

TEST(Sources, HandlesAnEmptyFile) {
  Sources sources;
  const FileId file = sources.add("empty.m", "");
  EXPECT_EQ(sources.location({file, 0, 0}), "empty.m:1:1");
  EXPECT_EQ(sources.line(file, 1), "");
}

TEST(Sources, KeepsTextsInPlaceWhileFilesAreAdded) {
  Sources sources;
  const FileId first = sources.add("a.m", "a");
  const std::string_view text = sources.text(first);
  for (int i = 0; i < 100; ++i) sources.add("b.m", "b");
  EXPECT_EQ(text.data(), sources.text(first).data());
}

}  // namespace
}  // namespace fathom
