import type { MutantResult } from './run-trials.ts'

export interface ReportedFile {
  area: string
  path: string
  /** Its mutants were drawn; there are more. */
  isSample: boolean
  /** On which it was tried. */
  day: string
  results: readonly ReportedMutant[]
}

export type UntriedFile = Pick<ReportedFile, 'area' | 'path'>

export interface ReportedMutant extends Pick<
  MutantResult,
  'line' | 'kind' | 'original' | 'replacement' | 'outcome'
> {
  /** Why no test kills it, where that is known. */
  reason: string | undefined
}

/** The share of mutants, in percent, that every area must kill. */
export const requiredScore = 90

interface Counts {
  mutants: number
  killed: number
  timedOut: number
  survived: number
}

export function countOf(files: readonly ReportedFile[]): Counts {
  const results = files.flatMap((file) => file.results)
  const count = (...outcomes: MutantResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    mutants: results.length,
    killed: count('killed'),
    timedOut: count('timed out'),
    survived: count('survived', 'not covered'),
  }
}

/** A mutant that does not end is noticed by whoever runs the tests, so it counts as killed. */
export const scoreOf = ({ mutants, killed, timedOut }: Counts): number =>
  mutants === 0 ? 100 : ((killed + timedOut) / mutants) * 100

export const isSurvivor = ({ outcome }: Pick<MutantResult, 'outcome'>): boolean =>
  outcome === 'survived' || outcome === 'not covered'

const introduction = `# Mutants

A mutant is a copy of the program with one small change: \`<\` where there was \`<=\`, a condition that is always true, a call left out, a text or a list emptied. If the tests still pass, no test guards that line. \`npm run mutants\` makes every mutant of the files below, runs the tests that belong to the file, and writes this page. [ADR 52](adr/0052-mutants-are-run-by-our-own-runner.md) says why the runner is our own.

- \`npm run mutants\` tries the files whose code or tests have changed since their last results, which are kept in \`.cache/mutants\`; \`npm run mutants -- --again\` tries all of them.
- \`npm run mutants -- --only payments/rules\` tries the files whose path or area contains that text, and prints every survivor.
- \`npm run mutants -- --report\` tries nothing, writes this page from the results that there are, and lists the files without any.
- The command fails if a file has no results, if an area kills less than ${requiredScore} % of its mutants, or if a survivor has no reason in \`tools/src/mutants/survivors.ts\`.

What is not mutated: types, the names of fields, the texts of errors that are thrown, and SQL outside of the stores. In a store only SQL is mutated: conditions and locks are left out, and operators are swapped; the condition on \`org_id\` is left alone, because row level security repeats it. In areas whose tests need Postgres, 60 mutants are drawn from all of their files together, always the same ones for the same code. A mutant that does not end counts as killed. Mutants that cannot change what the program does count as survivors, so no score reaches 100 % by leaving them out.
`

export function reportOf(files: readonly ReportedFile[], untried: readonly UntriedFile[] = []): string {
  const areas = [...new Set(files.map(({ area }) => area))]
  const rows = areas.flatMap((area) => {
    const ofArea = files.filter((file) => file.area === area)
    return [...ofArea.map((file) => row(area, `\`${file.path}\``, [file])), row(`**${area}**`, '', ofArea)]
  })
  return [
    introduction,
    '## Results',
    '',
    '| area | file | mutants | killed | timed out | survived | score | tried on |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    row('**all**', '', files),
    '',
    ...untriedFiles(untried),
    ...survivorsOf(files),
  ].join('\n')
}

function row(area: string, path: string, files: readonly ReportedFile[]): string {
  const counts = countOf(files)
  const cells = [counts.mutants, counts.killed, counts.timedOut, counts.survived]
  const days = [...new Set(files.map(({ day }) => day))].toSorted()
  const tried = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '')
  return `| ${[area, path, ...cells, `${scoreOf(counts).toFixed(1)} %`, tried].join(' | ')} |`
}

function untriedFiles(untried: readonly UntriedFile[]): string[] {
  if (untried.length === 0) return []
  return [
    '## Not tried',
    '',
    'These files have no results, so nothing is known about their tests. In an area with some of them, the score says nothing about the rest.',
    '',
    ...untried.map(({ area, path }) => `- ${area}: \`${path}\``),
    '',
  ]
}

function survivorsOf(files: readonly ReportedFile[]): string[] {
  const survivors = files.flatMap((file) =>
    file.results.filter(isSurvivor).map((mutant) => ({ path: file.path, ...mutant })),
  )
  if (survivors.length === 0) return []
  return [
    '## Survivors',
    '',
    '| file and line | code | mutant | why it survives |',
    '| --- | --- | --- | --- |',
    ...survivors.map(
      ({ path, line, original, replacement, reason }) =>
        `| \`${path}:${line}\` | ${code(original)} | ${replacement === '' ? 'removed' : code(replacement)} | ${reason ?? 'not explained'} |`,
    ),
    '',
  ]
}

const longestCode = 80

/** On one line, and short enough for a table. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  const short = line.length > longestCode ? `${line.slice(0, longestCode)}…` : line
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}
