// What packages/go-regexp knows of Go's regexp package, taken from Go itself.
//
//	go run packages/go-regexp/generator/main.go tables  > packages/go-regexp/src/unicode-tables.ts
//	go run packages/go-regexp/generator/main.go answers < cases.json > packages/go-regexp/src/testdata/message-pattern.json
//
//	go run packages/go-regexp/generator/main.go sets    > packages/go-regexp/src/testdata/unicode-classes.json
//
// The cases are a list of {"about": text, "pattern": text, "messages": [text, …]}. The answers are the same list with "matches",
// the messages in which the pattern is found, or "refusal", the error text; answers that are there already are
// made anew, so a file of answers is a file of cases.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "tables":
		printTables()
	case len(os.Args) == 2 && os.Args[1] == "answers":
		answer()
	case len(os.Args) == 2 && os.Args[1] == "sets":
		printSets()
	default:
		log.Fatal("usage: main.go tables | answers | sets")
	}
}

func answer() {
	var cases []struct {
		About    string   `json:"about,omitempty"`
		Pattern  string   `json:"pattern"`
		Messages []string `json:"messages,omitempty"`
		Matches  []string `json:"matches,omitempty"`
		Refusal  string   `json:"refusal,omitempty"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		log.Fatal(err)
	}
	fmt.Print("[")
	for i, c := range cases {
		c.Matches, c.Refusal = nil, ""
		compiled, err := regexp.Compile(c.Pattern)
		if err != nil {
			c.Messages, c.Refusal = nil, err.Error()
		} else {
			for _, message := range c.Messages {
				if compiled.MatchString(message) {
					c.Matches = append(c.Matches, message)
				}
			}
		}
		if i > 0 {
			fmt.Print(",")
		}
		var line strings.Builder
		out := json.NewEncoder(&line)
		out.SetEscapeHTML(false)
		if err := out.Encode(c); err != nil {
			log.Fatal(err)
		}
		fmt.Print("\n" + strings.TrimSpace(line.String()))
	}
	fmt.Println("\n]")
}

// printSets prints what each name of \p{…} stands for, without and with (?i): the number of code points and their sum.
func printSets() {
	known := []string{"Any", "ASCII", "Assigned"}
	known = append(known, names(unicode.Categories, anyName)...)
	known = append(known, names(unicode.CategoryAliases, anyName)...)
	known = append(known, names(unicode.Scripts, oneWord)...)
	fmt.Print("[")
	for i, name := range known {
		if i > 0 {
			fmt.Print(",")
		}
		count, sum := extent(name, syntax.Perl)
		foldedCount, foldedSum := extent(name, syntax.Perl|syntax.FoldCase)
		fmt.Printf("\n"+`{"name": %q, "count": %d, "sum": %d, "foldedCount": %d, "foldedSum": %d}`,
			name, count, sum, foldedCount, foldedSum)
	}
	fmt.Println("\n]")
}

func extent(name string, flags syntax.Flags) (count, sum int) {
	parsed, err := syntax.Parse(`[\p{`+name+`}]`, flags)
	if err != nil {
		log.Fatal(err)
	}
	ranges := parsed.Rune
	switch parsed.Op {
	case syntax.OpAnyChar:
		ranges = []rune{0, unicode.MaxRune}
	case syntax.OpLiteral:
		ranges = []rune{parsed.Rune[0], parsed.Rune[0]}
	}
	for i := 0; i < len(ranges); i += 2 {
		first, last := int(ranges[i]), int(ranges[i+1])
		count += last - first + 1
		sum += (first + last) * (last - first + 1) / 2
	}
	return count, sum
}

func printTables() {
	fmt.Printf(`// Written by packages/go-regexp/generator/main.go from Go's unicode package, version %s of Unicode.
// All numbers are in base 36. A line break has no meaning, or means a space.

/**
 * The general category of each code point, starting with U+0000, and the number of consecutive code
 * points with that category.
 */
export const CATEGORY_RUNS = %s;

/**
 * The scripts with a name of one word. A range is given as the distance from the end of the previous one, and its
 * length.
 */
export const SCRIPT_RANGES: ReadonlyMap<string, string> = new Map([
%s]);

/**
 * Pairs of code points that fold to each other: the first of a run, the distance to its partner, the number of
 * such pairs, and the step between them.
 */
export const FOLDED_PAIRS = %s;

/** Groups of three or four code points that fold to each other. */
export const FOLDED_SETS = %s;
`, unicode.Version, lines(categoryRuns(), ""), scripts(), lines(foldedPairs(), " "), lines(foldedSets(), " "))
}

func categoryRuns() []string {
	categories := names(unicode.Categories, func(name string) bool { return len(name) == 2 && name != "LC" })
	category := func(r rune) string {
		i := slices.IndexFunc(categories, func(name string) bool { return unicode.Is(unicode.Categories[name], r) })
		return categories[i]
	}
	var runs []string
	for r := rune(0); r <= unicode.MaxRune; {
		first, name := r, category(r)
		for r <= unicode.MaxRune && category(r) == name {
			r++
		}
		runs = append(runs, name+number(r-first))
	}
	return runs
}

func scripts() string {
	var out strings.Builder
	for _, name := range names(unicode.Scripts, oneWord) {
		listed := ranges(unicode.Scripts[name])
		if line := fmt.Sprintf("  [%q, %q],", name, strings.Join(listed, " ")); len(line) <= 100 {
			out.WriteString(line + "\n")
		} else {
			fmt.Fprintf(&out, "  [\n    %q,\n    %s,\n  ],\n", name, lines(listed, " "))
		}
	}
	return out.String()
}

// \p{…} makes one capitalised word of a name, and looks that up.
func oneWord(name string) bool {
	return !strings.Contains(name, "_") && name[1:] == strings.ToLower(name[1:])
}

func ranges(table *unicode.RangeTable) []string {
	var out []string
	end := rune(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(table, r) {
			continue
		}
		first := r
		for unicode.Is(table, r) {
			r++
		}
		out = append(out, number(first-end)+","+number(r-first))
		end = r
	}
	return out
}

func foldedPairs() []string {
	type pair struct{ first, distance rune }
	var pairs []pair
	for _, orbit := range orbits() {
		if len(orbit) == 2 {
			pairs = append(pairs, pair{orbit[0], orbit[1] - orbit[0]})
		}
	}
	var out []string
	for i := 0; i < len(pairs); {
		j, step := i+1, rune(1)
		if j < len(pairs) && pairs[j].first-pairs[i].first <= 2 {
			step = pairs[j].first - pairs[i].first
		}
		for j < len(pairs) && pairs[j].distance == pairs[i].distance && pairs[j].first-pairs[j-1].first == step {
			j++
		}
		out = append(out, strings.Join([]string{
			number(pairs[i].first), number(pairs[i].distance), number(rune(j - i)), number(step),
		}, ","))
		i = j
	}
	return out
}

func foldedSets() []string {
	var out []string
	for _, orbit := range orbits() {
		if len(orbit) > 2 {
			members := make([]string, len(orbit))
			for i, r := range orbit {
				members[i] = number(r)
			}
			out = append(out, strings.Join(members, ","))
		}
	}
	return out
}

// orbits lists the code points that fold to one another, in ascending order, for all that fold at all.
func orbits() [][]rune {
	var out [][]rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		orbit := []rune{r}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			orbit = append(orbit, f)
		}
		if len(orbit) > 1 && slices.Min(orbit) == r {
			slices.Sort(orbit)
			out = append(out, orbit)
		}
	}
	return out
}

func anyName(string) bool { return true }

func names[T any](tables map[string]T, wanted func(string) bool) []string {
	var out []string
	for name := range tables {
		if wanted(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func number(r rune) string { return strconv.FormatInt(int64(r), 36) }

// lines is a TypeScript template of the parts on lines of moderate length.
func lines(parts []string, separator string) string {
	var out strings.Builder
	line := ""
	for _, part := range parts {
		if len(line)+len(part) > 100 {
			out.WriteString("\n" + line)
			line = ""
		}
		if line != "" {
			line += separator
		}
		line += part
	}
	return "`" + out.String() + "\n" + line + "\n`"
}
