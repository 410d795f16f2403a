import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Answer, ApiClient } from '../shared/api-client.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPolicy } from './policy-plan.ts'

const policies = '/v1/routing/policies'
const drafted = z.object({ data: z.object({ version: z.number() }) })
const held = z.object({ data: z.object({ request_id: z.string() }) })

/** An administrator drafts and publishes the policy; where it waits for a second person, the operator approves it. */
export async function publishPolicy(
  client: ApiClient,
  { approver, operator, orgId }: Pick<CrashOrg, 'approver' | 'operator' | 'orgId'>,
  document: PlannedPolicy,
): Promise<void> {
  const post = (key: string, path: string): Promise<Answer | undefined> =>
    client.call({ key, method: 'POST', path, body: '{}', idempotencyKey: randomUUID() })
  const draft = await client.call({
    key: approver,
    method: 'PUT',
    path: `${policies}/draft`,
    body: JSON.stringify({ document }),
    idempotencyKey: randomUUID(),
  })
  // An api that was killed may have left the call without an answer; the next policy comes soon.
  if (draft?.status !== 200) return
  const published = await post(approver, `${policies}/${drafted.parse(draft.body).data.version}/publish`)
  if (published?.status !== 202) return
  const { request_id: requestId } = held.parse(published.body).data
  await post(operator, `/v1/organizations/${orgId}/change-requests/${requestId}/approve`)
}
