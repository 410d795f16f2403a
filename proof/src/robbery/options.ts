import { parseArgs } from 'node:util'
import { thieves } from './attacks/thieves.ts'
import { judges } from './judges/judge.ts'
import { bugs } from './plant/bugs.ts'

export type Options = {
  readonly steps: number
  readonly seed: number
  readonly minutes: number
  readonly isProof: boolean
  readonly only?: string
}

const options = {
  steps: { type: 'string', default: '5000' },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '20' },
  prove: { type: 'boolean', default: false },
  only: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** Undefined: the help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({ args: [...args], options })
  if (values.help) return undefined
  const [steps = 0, seed = 0, minutes = 0] = [values.steps, values.seed, values.minutes].map(Number)
  if (![steps, seed, minutes].every(Number.isInteger))
    throw new Error('--steps, --seed and --minutes are whole numbers')
  return {
    steps,
    seed,
    minutes,
    isProof: values.prove,
    ...(values.only !== undefined && { only: values.only }),
  }
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')

/** Names are padded to the longest of them. */
function described(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return indented(entries.map(([name, about]) => `${name.padEnd(width)}  ${about}`))
}

export const helpText = (): string => `npm run robbery -- [options]

Acts as people who try to take what is not theirs, and exits with 1 if something was stolen.

${described([
  ['--steps N', `random requests after the known attacks (${options.steps.default})`],
  ['--seed S', `which ones (${options.seed.default})`],
  ['--minutes M', `limits the random part (${options.minutes.default})`],
  ['--prove', `plants each of ${bugs.length} former holes again, and requires its judge to find it`],
  ['--only TEXT', 'with --prove: only those with the text in their name'],
  ['--help', 'prints this'],
])}

Thieves and their attacks:
${thieves.map(({ name, attacks }) => `\n  ${name}\n${indented(attacks.map((attack) => `  - ${attack.name}`))}`).join('\n')}

Judges and what they hold:

${described(Object.entries(judges))}

Holes that --prove plants, and who finds them:

${described(bugs.map(({ name, expects }) => [name, expects.join(' or ')]))}`
