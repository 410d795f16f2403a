import type { Checked, Quiet } from './check.ts'
import { invariantNames, type Violation } from './violation.ts'
import { limits } from '../shared/limits.ts'
import type { Fault } from '../shared/saboteur.ts'

export type Found = Pick<Quiet, 'evidence' | 'violations'>

/** Describes each violation with the payment's timeline and the faults before its last change. */
export async function explain(checked: Checked, found: Found, faults: readonly Fault[]): Promise<string[]> {
  const texts: string[] = []
  for (const list of Map.groupBy(found.violations, ({ invariant }) => invariant).values()) {
    for (const violation of list.slice(0, limits.printedViolations))
      texts.push(await explainOne(checked, found, faults, violation))
    if (list.length > limits.printedViolations)
      texts.push(`… and ${list.length - limits.printedViolations} more of ${list[0]?.invariant}`)
  }
  return texts
}

async function explainOne(
  checked: Checked,
  { evidence }: Found,
  faults: readonly Fault[],
  { invariant, subject, problem }: Violation,
): Promise<string> {
  const head = `${invariant} (${invariantNames[invariant]}) ${subject}: ${problem}`
  const payment = evidence.payments.find(({ paymentId }) => paymentId === subject)
  if (!payment) return head
  const before = faults.filter(({ atMs }) => atMs <= payment.updatedAt.getTime()).slice(-limits.printedFaults)
  const lines = before.map(({ atMs, text }) => `  fault     ${new Date(atMs).toISOString()} ${text}`)
  return [head, ...(await timelineOf(checked, payment)), ...lines].join('\n')
}

async function timelineOf(
  { client, installation }: Checked,
  payment: { orgId: string; paymentId: string },
): Promise<string[]> {
  const key = installation.people.orgs.find(({ orgId }) => orgId === payment.orgId)?.approver ?? ''
  const answer = await client.call({ key, method: 'GET', path: `/v1/payments/${payment.paymentId}/timeline` })
  if (answer?.status !== 200) return [`  timeline  ${answer?.status ?? 'no answer'}`]
  const { data } = answer.body as { data: { at: string; kind: string; data: object }[] } // validated by the API's own tests
  return data.map(
    (entry) => `  timeline  ${entry.at} ${entry.kind} ${JSON.stringify(entry.data).slice(0, 400)}`,
  )
}
