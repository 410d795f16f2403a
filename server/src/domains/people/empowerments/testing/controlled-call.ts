import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import type { OrgPayments, TestPayments } from '../../../../../test/worlds/test-payments.ts'

/** What a call is about: an organisation that has no policy yet, and the installation around it. */
export interface ControlledWorld {
  t: TestPayments
  /** Called as its first administrator. */
  org: OrgPayments
  adminId: string
  /** Two people of the operator who are not related to each other. */
  operators: { root: string; unrelated: string }
}

/** Decides, as this person. */
export type Decide = (as: string) => Promise<CallAnswer>

/** A call that takes effect only after somebody else has decided. */
export interface ControlledCall {
  /** As it is registered. */
  route: string
  about?: string
  /** Prepares the call while nothing needs a second person, and returns what makes it as this person. */
  arrange(this: void, world: ControlledWorld): Promise<(as: string) => Promise<Decide>>
}

export interface Request {
  /** Those of the path. The organisation's id is known. */
  params?: Record<string, string>
  body?: Json
}
type Waits = (world: ControlledWorld, answer: CallAnswer, request: Request) => Promise<Decide>

/** A call of the route, which is a change request then, unless `waits` says what waits instead. */
export const asks = (
  route: string,
  prepare: (world: ControlledWorld) => Request | Promise<Request>,
  { waits = changeRequest, about }: { waits?: Waits; about?: string } = {},
): ControlledCall => ({
  route,
  ...(about !== undefined && { about }),
  async arrange(world) {
    const request = await prepare(world)
    return async (as) => waits(world, await callRoute(world, route, request, as), request)
  },
})

export function callRoute(
  { t, org }: ControlledWorld,
  route: string,
  { params, body }: Request,
  as: string,
): Promise<CallAnswer> {
  const [method = '', path = ''] = route.split(' ')
  const values: Record<string, string> = { org_id: org.orgId, ...params }
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => values[name] ?? '')
  return t.call(method, filled, { as, ...(body !== undefined && { body }) })
}

/** The body of an answer that has to have this status. */
export function must(answer: CallAnswer, status: number): Json {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
  return answer.body
}

const changeRequest: Waits = ({ t }, answer) => {
  const { org_id, request_id } = must(answer, 202).data
  const path = `/v1/organizations/${org_id}/change-requests/${request_id}/approve`
  return Promise.resolve((as) => t.call('POST', path, { as, body: {} }))
}

/** A payment that is sent only after its review. */
export async function waitingPayment({ t, org }: ControlledWorld, paymentId: string): Promise<Decide> {
  const { status } = await org.record(paymentId)
  if (status !== 'initiated') throw new Error(`the payment is ${status}, so it waits for nobody`)
  return (as) => t.call('POST', `/v1/payments/${paymentId}/review`, { as, body: { decision: 'approve' } })
}

export const waitingBatch: Waits = ({ t }, answer) => {
  const { batch_id, status } = must(answer, 201).data
  if (status !== 'awaiting_approval') throw new Error(`the batch is ${status}`)
  return Promise.resolve((as) => t.call('POST', `/v1/payouts/batches/${batch_id}/approve`, { as, body: {} }))
}

export const waitingRefund: Waits = ({ t }, answer) => {
  const { refund_id, status } = must(answer, 201).data
  if (status !== 'awaiting_approval') throw new Error(`the refund is ${status}`)
  const path = `/v1/refunds/${refund_id}/review`
  return Promise.resolve((as) => t.call('POST', path, { as, body: { decision: 'approve' } }))
}

/** A change by the operator that both of its people agree to. */
export async function agree(world: ControlledWorld, route: string, request: Request): Promise<void> {
  const { root, unrelated } = world.operators
  const decide = await changeRequest(world, await callRoute(world, route, request, root), request)
  must(await decide(unrelated), 200)
}
