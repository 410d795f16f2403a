import { propertyOf, type JsonSchema, type NamedOperation, type Response } from './document.ts'

/** The answers that neither the verb nor the schema describes well enough. */
const ownTexts: Readonly<Record<string, string>> = {
  'health.live 200': 'The process runs.',
  'health.ready 200': 'The process and everything that it depends on can serve requests.',
  'health.ready 503':
    'A dependency is down; `dependencies` tells which. The load balancer should send no requests here.',
  'payments.initiate 200':
    'The payment was begun. `response` has its ids, its status and what the payer has to do next; the outcome follows as an event.',
  'payments.act 200': 'The payment after the action, in the shape of an initiation.',
  'payments.timeline 200': 'Everything that happened to the payment, in order.',
  'payments.inquire 200': 'The payment record after the provider was asked.',
  'ramps.initiate 200':
    'The ramp was begun. `response` has its ids, amounts, fees and where the payer pays; the outcome follows as an event.',
  'payoutBatches.create 200': 'The result of a dry run. Nothing was stored.',
  'payoutBatches.downloadResults 200': 'A CSV file with a header and one line for each row of the batch.',
  'virtualAccounts.statement 200': 'The balances of the period and one page of its entries.',
  'virtualAccounts.downloadStatement 200': 'The statement as a CSV file with a header.',
  'webhooks.create 201': 'The endpoint, with its `secret_key`, which is shown only this once.',
  'webhooks.rotateSecret 200': 'The endpoint with its new `secret_key`, which is shown only this once.',
  'webhooks.getDelivery 200': 'The delivery with the requests that were sent and what was answered.',
  'webhooks.recover 200': 'How many deliveries were queued again.',
  'webhooks.notify 200': 'The event and the deliveries that were queued for it.',
  'webhooks.test 200': 'The test event and the delivery that was queued for it.',
  'events.get 200': 'The event with the body that its receivers get.',
  'events.replay 200': 'The event and the deliveries that were queued for it.',
  'deadLetters.replay 200': 'How many deliveries were queued again.',
  'apiKeys.create 201': 'The API key, whose `api_key` is shown only this once.',
  'apiKeys.rotate 201': 'The new API key, whose `api_key` is shown only this once.',
  'reconciliation.run 200': 'What was compared and how many differences were found.',
  'dataKeys.rotate 200': 'The id of the new data key. Older data is encrypted again in the background.',
  'permissions.check 200': 'Whether the member has the permission now.',
  'users.me 200': 'The caller: the member, the organisation, the role and the permissions.',
  'approvalPolicies.list 200': 'The amounts from which payouts need a second approver, by currency.',
  'approvalPolicies.set 200': 'The policies after the change.',
  'creditLimits.list 200': 'The credit limits of the organisation, by currency.',
  'creditLimits.set 200': 'The credit limits after the change.',
  'fees.quote 200': 'The fees that such a payment has now.',
  'fees.summarize 200': 'Fees and provider costs of the period, by currency.',
  'changeControl.get 200': 'Whether sensitive changes need a second person.',
  'changeControl.set 200': 'Whether sensitive changes need a second person from now on.',
  'verificationRequests.create 200': 'Every notice was sent.',
  'verificationRequests.create 207': 'Some of the notices were sent; `results` tells which.',
  'verificationRequests.get 200': 'The verification request with its answer.',
  'providerWebhooks.receive 200': 'The message was stored. It is processed afterwards.',
  'providerWebhooks.probe 200': 'The address accepts messages.',
  'kyb.receiveWebhook 200': 'The decision was stored.',
}

const byStatus: Readonly<Record<string, string>> = {
  202: 'A second person must approve the change: the change request that was made for it. Nothing has changed yet.',
  204: 'Done. The response has no body.',
}

/** What the response of one operation holds: the text of its own, else one made from the verb and the name of the schema. */
export function ownText({ operation }: NamedOperation, status: string, response: Response): string {
  const id = operation.operationId ?? ''
  const own = ownTexts[`${id} ${status}`] ?? byStatus[status]
  if (own !== undefined) return own
  const { name, isList } = subjectOf(response)
  if (isList) {
    const isPaged = operation['x-switchyard-cursor'] !== undefined
    return isPaged ? 'One page of the list, and the cursor of the next one.' : 'The whole list.'
  }
  const subject = name === undefined ? operationSubject(id) : words(name)
  const verb = id.split('.')[1] ?? ''
  if (status === '201') return `The ${subject} that was created.`
  return verb.startsWith('get') ? `The ${subject}.` : `The ${subject} after the change.`
}

interface Subject {
  name: string | undefined
  isList: boolean
}

/** `{data: {$ref: …/Beneficiary}}` is about a Beneficiary. */
function subjectOf({ content = {} }: Response): Subject {
  const schema = content['application/json']?.schema ?? {}
  const data = propertyOf(schema, 'data') ?? schema
  return { name: referenceName(data), isList: data['type'] === 'array' }
}

const referenceName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined

/** `PayoutBatchWithProgress` is "payout batch with progress". */
const words = (name: string): string => name.replaceAll(/(?!^)[A-Z]/g, ' $&').toLowerCase()

/** `apiKeys.create` is about an "api key". */
const operationSubject = (id: string): string => words(id.split('.')[0] ?? '').replace(/s$/, '')
