/** The headings of Keep a Changelog. */
const unreleased = '## [Unreleased]'
const released = /^## \[(\S+)\] - \d{4}-\d{2}-\d{2}$/

type Section = { readonly heading: string; readonly notes: string }

/**
 * What CHANGELOG.md says about a version, without its heading: the unreleased changes, or the newest section if there are
 * none and it has the name of the version, as on the commit of a release.
 */
export function notesOf(changelog: string, version: string): string | undefined {
  const newest = sectionsOf(changelog).find(({ heading, notes }) => heading !== unreleased || notes !== '')
  const isOfVersion = newest?.heading === unreleased || released.exec(newest?.heading ?? '')?.[1] === version
  return isOfVersion && newest !== undefined && newest.notes !== '' ? newest.notes : undefined
}

/** Moves the unreleased changes below a heading with the version and the day of its release. */
export function dateSection(changelog: string, version: string, day: string): string {
  const [first] = sectionsOf(changelog)
  if (first?.heading !== unreleased || first.notes === '') return changelog
  return changelog.replace(`${unreleased}\n`, `${unreleased}\n\n## [${version}] - ${day}\n`)
}

function sectionsOf(changelog: string): Section[] {
  const [, ...parts] = changelog.split(/^(?=## )/m)
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    return { heading, notes: lines.join('\n').trim() }
  })
}
