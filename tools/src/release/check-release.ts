import { findBreaks } from '../api-breaks/find-breaks.ts'
import { notesOf } from './changelog.ts'
import { lastRelease, type Clone } from './repository.ts'
import {
  bumpOf,
  formatVersion,
  isEnough,
  isGreater,
  parseVersion,
  type Bump,
  type Version,
} from './version.ts'

const apiFile = 'docs/openapi.json'
const migrations = 'server/migrations'

type Checked = {
  readonly problems: readonly string[]
  /** What was compared, for the report. */
  readonly facts: readonly string[]
  readonly notes: string
}

/** Whether this clone may be released as the version; changes nothing. */
export function checkRelease(clone: Clone, text: string): Checked {
  const version = parseVersion(text)
  if (version === undefined || text.startsWith('v'))
    return { problems: [`${text} is no version such as 1.2.3`], facts: [], notes: '' }
  const tag = lastRelease(clone)
  const last = tag === undefined ? undefined : parseVersion(tag)
  const notes = notesOf(clone.read('CHANGELOG.md'), text)
  const api = checkApi(clone, tag, version)
  return {
    problems: [
      ...treeProblems(clone),
      ...tagProblems(clone, version, last),
      ...(notes === undefined ? ['CHANGELOG.md has nothing below "## [Unreleased]"'] : []),
      ...api.problems,
      ...(tag === undefined ? [] : migrationProblems(clone, tag)),
    ],
    facts: [
      tag === undefined ? 'there is no release before this one' : `the last release is ${tag}`,
      ...api.facts,
    ],
    notes: notes ?? '',
  }
}

function treeProblems(clone: Clone): string[] {
  const changed = clone.git('status', '--porcelain').trim()
  return changed === '' ? [] : [`the tree has changes that are not committed:\n${changed}`]
}

function tagProblems(clone: Clone, version: Version, last: Version | undefined): string[] {
  const name = `v${formatVersion(version)}`
  if (clone.git('tag', '--list', name).trim() !== '') return [`the tag ${name} exists already`]
  if (last === undefined || isGreater(version, last)) return []
  return [`${formatVersion(version)} is not greater than ${formatVersion(last)}`]
}

/** A break needs a new major version, an addition a new minor one. Deliberate breaks are breaks too. */
function checkApi(
  clone: Clone,
  tag: string | undefined,
  version: Version,
): { problems: string[]; facts: string[] } {
  const before = tag === undefined ? undefined : clone.tryGit('show', `${tag}:${apiFile}`)
  const last = tag === undefined ? undefined : parseVersion(tag)
  if (before === undefined || last === undefined || !isGreater(version, last))
    return { problems: [], facts: [] }
  const [old, current]: [unknown, unknown] = [JSON.parse(before), JSON.parse(clone.read(apiFile))]
  const breaks = findBreaks(old, current)
  const additions = findBreaks(current, old)
  const needed: Bump = breaks.length > 0 ? 'major' : additions.length > 0 ? 'minor' : 'patch'
  const facts = [`the API has ${breaks.length} breaks and ${additions.length} additions since ${tag}`]
  if (isEnough(bumpOf(last, version), needed, last)) return { problems: [], facts }
  const [example] = breaks.length > 0 ? breaks : additions.map((line) => line.replace(/ is gone$/, ' is new'))
  return {
    problems: [
      `a ${bumpOf(last, version)} version is not enough for the API, which needs a ${needed} one: ${example}`,
    ],
    facts,
  }
}

/** Installations have run them, so an edit would reach only new ones. */
function migrationProblems(clone: Clone, tag: string): string[] {
  const changed = clone.git(
    'diff',
    '--name-status',
    '--no-renames',
    '--diff-filter=a',
    tag,
    'HEAD',
    '--',
    migrations,
  )
  return changed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `a migration of ${tag} was changed or removed: ${line.split('\t')[1]}`)
}
