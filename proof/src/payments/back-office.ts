import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { ApiClient, Answer } from '../shared/api-client.ts'
import { limits } from '../shared/limits.ts'
import { readStatements } from './evidence.ts'
import { outcomeOnStatement } from './expected-exceptions.ts'
import type { PaymentsInstallation } from './installation.ts'
import type { CrashOrg } from './people.ts'
import { readReference } from './read-reference.ts'

export type BackOffice = {
  /** The payments that two people decided about. */
  readonly decided: ReadonlySet<string>
  /** Decisions that one person got through alone. */
  readonly alone: readonly string[]
  stop(): Promise<void>
}

const found = z.object({ data: z.array(z.object({ payment_id: z.string().nullable() })) })
const proposed = z.object({ data: z.object({ request_id: z.string() }) })

/** People who read the providers' statements and end what is in doubt: one proposes, the operator approves. */
export function openBackOffice(
  client: ApiClient,
  { simulatorDir, owner, people: { orgs } }: Pick<PaymentsInstallation, 'simulatorDir' | 'owner' | 'people'>,
): BackOffice {
  const stopped = new AbortController()
  const decided = new Set<string>()
  const alone: string[] = []
  const post = (key: string, path: string, body: object): Promise<Answer | undefined> =>
    client.call({ key, method: 'POST', path, body: JSON.stringify(body), idempotencyKey: randomUUID() })
  const decide = async (org: CrashOrg, paymentId: string): Promise<void> => {
    const path = `/v1/payments/${paymentId}`
    const reference = await readReference(owner, paymentId)
    const outcome = reference && outcomeOnStatement(readStatements(simulatorDir).get(reference))
    if (!outcome) return
    const evidence = `The statement of the provider says ${outcome}.`
    const held = await post(org.approver, `${path}/resolve`, { outcome, evidence })
    if (held?.status !== 202) return
    const request = `/v1/organizations/${org.orgId}/change-requests/${proposed.parse(held.body).data.request_id}`
    const byOne = await post(org.approver, `${request}/approve`, {})
    if (byOne?.status === 200) alone.push(`${org.approver.slice(0, 8)} alone resolved ${paymentId}`)
    const approved = await post(org.operator, `${request}/approve`, {})
    if (approved?.status === 200) decided.add(paymentId)
    else await post(org.operator, `${request}/reject`, {})
  }
  const round = async (org: CrashOrg): Promise<void> => {
    const path = '/v1/payments/exceptions?status=open&kind=outcome_unknown&limit=100'
    const answer = await client.call({ key: org.approver, method: 'GET', path })
    for (const { payment_id: paymentId } of found.safeParse(answer?.body).data?.data ?? [])
      if (paymentId !== null && !stopped.signal.aborted) await decide(org, paymentId)
  }
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      for (const org of orgs) await round(org)
      await delay(limits.decideEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }
  const running = loop()
  return {
    decided,
    alone,
    async stop() {
      stopped.abort()
      await running
    },
  }
}
