import type { Reply } from './judge.ts'
import type { Route } from './routes.ts'

type Finding = {
  readonly problem: string
  readonly who: string
  readonly curl: string
  readonly answer: string
}
export type Outcome = { readonly reply: Reply; readonly findings: readonly Finding[] }

export type FuzzReport = {
  readonly findings: Finding[]
  /** Routes that never succeeded, with their last refusal: the code behind them was not reached. */
  unreached(): string[]
  add(route: Route, outcome: Outcome): void
  requests(): number
  /** One line of progress. */
  line(): string
  /** The full report. */
  text(): string
}

export const findingText = ({ problem, who, curl, answer }: Finding): string =>
  `${problem}\n  as ${who}\n  ${answer}\n  ${curl}\n`

const shownRefusalChars = 160

export function createReport(routes: readonly Route[]): FuzzReport {
  const byStatus = new Map<number, number>()
  const findings: Finding[] = []
  const refusals = new Map(routes.map(({ name }) => [name, 'never asked']))
  const startedAtMs = performance.now()
  let requests = 0
  const unreached = (): string[] => [...refusals].map(([name, refusal]) => `${name}: ${refusal}`).toSorted()
  const line = (): string => {
    const seconds = (performance.now() - startedAtMs) / 1_000
    return `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)}/s), ${findings.length} findings`
  }
  return {
    findings,
    requests: () => requests,
    unreached,
    line,
    add({ name }, { reply, findings: found }) {
      requests += 1
      byStatus.set(reply.status, (byStatus.get(reply.status) ?? 0) + 1)
      findings.push(...found)
      if (reply.status < 400) refusals.delete(name)
      else if (refusals.has(name) && reply.status !== 401 && reply.status !== 403)
        refusals.set(name, `${reply.status} ${reply.text.slice(0, shownRefusalChars)}`)
    },
    text() {
      const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
      return [
        line(),
        ...statuses.map(([status, count]) => `  ${status}  ${String(count).padStart(8)}`),
        ...(refusals.size === 0 ? [] : ['never answered with success:']),
        ...unreached().map((one) => `  ${one}`),
      ].join('\n')
    },
  }
}
