const heading = /^## (\S+), (.+)$/
const unreleased = 'unreleased'
const isoDay = /^\d{4}-\d{2}-\d{2}$/

type Section = {
  readonly line: number
  readonly end: number
  readonly version: string
  readonly when: string
}

/** What CHANGELOG.md says about a version, without its heading; undefined unless it is the newest one and not empty. */
export function notesOf(changelog: string, version: string): string | undefined {
  const lines = changelog.split('\n')
  const section = newestSection(lines)
  if (section?.version !== version || !(section.when === unreleased || isoDay.test(section.when)))
    return undefined
  const notes = lines
    .slice(section.line + 1, section.end)
    .join('\n')
    .trim()
  return notes === '' ? undefined : notes
}

/** Writes the day of the release over `unreleased`. */
export function dateSection(changelog: string, version: string, day: string): string {
  return changelog.replace(`## ${version}, ${unreleased}\n`, `## ${version}, ${day}\n`)
}

function newestSection(lines: readonly string[]): Section | undefined {
  const starts = lines.flatMap((text, line) => {
    const [, version, when] = heading.exec(text) ?? []
    return version === undefined || when === undefined ? [] : [{ line, version, when }]
  })
  const [first, second] = starts
  return first && { ...first, end: second?.line ?? lines.length }
}
