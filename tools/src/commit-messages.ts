import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'

type Commit = { readonly id: string; readonly message: string }

type CommitCheck = {
  /** One line for each rule that a commit breaks. */
  readonly problems: readonly string[]
  /** What was checked, or why nothing was. */
  readonly note: string
}

/** Older commits were written before the rule. */
const ruleBegan = '2026-11-18T12:00:00Z'
const checkedCommits = 20
const subjectLimit = 72
const bodyWordsLimit = 4
const types = ['feat', 'fix', 'refactor', 'perf', 'test', 'docs', 'build', 'chore', 'style']
const subjectForm = new RegExp(String.raw`^(?:${types.join('|')})\([a-z0-9][a-z0-9,/-]*\)!?: (\S.*)$`)
const trailer = /^[A-Z][A-Za-z-]+: \S/
/** Verbs that end in -ed, -ing or -s in the imperative. */
const imperatives = new Set([
  'bring',
  'embed',
  'exceed',
  'feed',
  'need',
  'ping',
  'proceed',
  'seed',
  'shed',
  'speed',
])
const inflected = /(?:ing|ed|[^sui]s)$/

/** The rules that a message breaks, each as the end of a sentence about the commit. */
export function findMessageProblems(message: string): string[] {
  const [subject = '', second, ...rest] = message.trimEnd().split('\n')
  const summary = subjectForm.exec(subject)?.[1]
  const [verb = ''] = summary?.split(' ') ?? []
  const body = rest.filter((line) => !trailer.test(line)).join(' ')
  return [
    ...(summary === undefined
      ? [`needs the form type(scope): summary, with a type of ${types.join(', ')}`]
      : []),
    ...(summary !== undefined && !isImperative(verb)
      ? [`begins its summary with "${verb}", not an imperative`]
      : []),
    ...(subject.length > subjectLimit
      ? [`has a subject of ${subject.length} characters, over ${subjectLimit}`]
      : []),
    ...(subject.endsWith('.') ? ['ends its subject with a full stop'] : []),
    ...(second !== undefined && second !== '' ? ['has no empty line below its subject'] : []),
    ...(countWords(body) < bodyWordsLimit ? ['has no body that says why'] : []),
  ]
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

const isImperative = (verb: string): boolean =>
  /^[a-z]/.test(verb) && (imperatives.has(verb) || !inflected.test(verb))

/** Checks the last commits since the rule began. Merges are left out, since squashed branches have none of their own. */
export async function checkCommits(root: string): Promise<CommitCheck> {
  // Outside a repository git fails; in a tarball that was unpacked inside one, it finds the repository above.
  const [isShallow, prefix] =
    (await git(root, 'rev-parse', '--is-shallow-repository', '--show-prefix'))?.split('\n') ?? []
  if (isShallow === undefined || prefix !== '')
    return { problems: [], note: 'skipped: this folder has no git history' }
  if (isShallow === 'true') return { problems: [], note: 'skipped: the clone is shallow' }
  const commits = await readCommits(root)
  return {
    problems: commits.flatMap(({ id, message }) =>
      findMessageProblems(message).map((problem) => `${id} (${message.split('\n')[0]}) ${problem}`),
    ),
    note: `${commits.length} commits since ${ruleBegan}`,
  }
}

async function readCommits(root: string): Promise<Commit[]> {
  const range = ['--no-merges', `--max-count=${checkedCommits}`, `--since=${ruleBegan}`]
  const log = (await git(root, 'log', '-z', '--format=%h%n%B', ...range)) ?? ''
  return log
    .split('\0')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [id = '', ...lines] = entry.split('\n')
      return { id, message: lines.join('\n') }
    })
}

/** The output, or undefined when there is no repository, no commit or no git. */
async function git(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('git', args, { cwd: root })).stdout
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const { problems, note } = await checkCommits(join(import.meta.dirname, '../..'))
  console.log([...problems, note].join('\n'))
  process.exitCode = problems.length > 0 ? 1 : 0
}
