import type { Violation } from './judges/judge.ts'
import { stepText, type Heard, type Step } from './thief.ts'

export type AttackResult = {
  readonly name: string
  readonly heard: Heard
  readonly seconds: number
  /** What the judges found right after it. */
  readonly found: readonly Violation[]
}

export type RobberyReport = {
  readonly steps: readonly Step[]
  readonly attacks: readonly AttackResult[]
  readonly violations: readonly Violation[]
  readonly seconds: number
}

const shownSteps = 10
const shownAnswer = 300

export const violationText = ({ judge, subject, problem }: Violation): string =>
  `${judge}: ${subject}: ${problem}`

export const attackText = ({ name, heard, seconds, found }: AttackResult): string =>
  [
    `${found.length === 0 ? 'refused  ' : 'SUCCEEDED'} ${name}`,
    `          ${seconds.toFixed(1)} s: ${heard.status} ${heard.text.slice(0, shownAnswer)}`,
    ...found.map((violation) => `          ${violationText(violation)}`),
  ].join('\n')

/** The violation and the last steps that name its subject. */
function explain(violation: Violation, steps: readonly Step[]): string {
  const led = steps.filter(
    ({ sent, heard }) => sent.includes(violation.subject) || heard.text.includes(violation.subject),
  )
  return [violationText(violation), ...led.slice(-shownSteps).map((step) => `    ${stepText(step)}`)].join(
    '\n',
  )
}

/** Steps per endpoint with their answers, answers by status, and the violations with what led to them. */
export function reportText({ steps, violations, seconds }: RobberyReport): string {
  const endpoints = Map.groupBy(steps, ({ endpoint }) => endpoint)
  const width = Math.max(0, ...[...endpoints.keys()].map((name) => name.length))
  const lines = [...endpoints]
    .toSorted(([first], [second]) => first.localeCompare(second))
    .map(
      ([name, played]) =>
        `  ${name.padEnd(width)}  ${String(played.length).padStart(6)}  ${statusesOf(played)}`,
    )
  return [
    `${steps.length} steps in ${seconds.toFixed(0)} s; answers: ${statusesOf(steps)}`,
    ...lines,
    `${violations.length} violations`,
    ...violations.map((violation) => explain(violation, steps)),
  ].join('\n')
}

const statusesOf = (steps: readonly Step[]): string =>
  [...Map.groupBy(steps, ({ heard }) => heard.status)]
    .toSorted(([first], [second]) => first - second)
    .map(([status, group]) => `${status} × ${group.length}`)
    .join(', ')
