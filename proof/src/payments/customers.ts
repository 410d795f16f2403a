import { z } from 'zod'
import { SENTINELS } from '@switchyard/simulator/sentinels.ts'
import type { ApiClient, Call } from '../shared/api-client.ts'
import { playBatch, type ClerkRecord } from './batch-clerk.ts'
import { publishPolicy } from './policy-clerk.ts'
import { corridors } from './corridors.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPayment } from './plan.ts'
import { continuePayment, initiate, quote, type Customer, type CustomerRecord } from './customer.ts'
import { digitsOf, payeeKey, payeeOf, requestFor, type Payees } from './requests.ts'

export type Customers = {
  play(payment: PlannedPayment): Promise<void>
  readonly told: CustomerRecord & ClerkRecord
}

const created = z.object({ data: z.object({ beneficiary_id: z.string() }) })

export async function openCustomers(
  client: ApiClient,
  orgs: readonly CrashOrg[],
  { simulatorUrl, referenceOf }: Pick<Customer, 'simulatorUrl' | 'referenceOf'>,
): Promise<Customers> {
  const payees = await Promise.all(orgs.map((org) => addPayees(client, org)))
  const told: Customers['told'] = {
    acknowledged: [],
    unheard: 0,
    refused: new Map(),
    strangerReads: [],
    batchIds: [],
    violations: [],
  }
  return {
    told,
    async play(payment) {
      const org = orgs[payment.org]
      const stranger = orgs[1 - payment.org]
      const own = payees[payment.org]
      if (!org || !own || !stranger) throw new Error('a payment belongs to no organisation')
      if (payment.policy) await publishPolicy(client, org, payment.policy)
      if (payment.batch)
        await playBatch({ client, org, payees: own, name: `batch-${payment.index}` }, payment.batch, told)
      const customer: Customer = { client, org, payment, simulatorUrl, referenceOf }
      const rate = payment.isExchanged ? await quote(customer) : undefined
      if (payment.isExchanged && !rate) return
      const body = requestFor(payment, { org, payees: own, quote: rate })
      const started = await initiate(customer, body, told)
      if (!started) return
      const { paymentId } = started
      told.acknowledged.push({ paymentId, orgId: org.orgId, key: org.initiator, index: payment.index })
      if (payment.isReadByStranger) await readAsStranger(client, stranger, paymentId, told)
      await continuePayment(customer, started)
    },
  }
}

async function readAsStranger(
  client: ApiClient,
  stranger: CrashOrg,
  paymentId: string,
  told: CustomerRecord,
): Promise<void> {
  const paths = [`/v1/payments/transaction/${paymentId}`, `/v1/payments/${paymentId}/timeline`]
  for (const path of paths) {
    const answer = await client.call({ key: stranger.initiator, method: 'GET', path })
    if (answer && answer.status !== 404) told.strangerReads.push(`${path}: ${answer.status}`)
  }
}

/** Creates a payee for each payout corridor, and one for each sentinel where the account number carries it. */
async function addPayees(client: ApiClient, org: CrashOrg): Promise<Payees> {
  const wanted = new Map<string, object>()
  for (const corridor of corridors.filter(({ direction }) => direction === 'payout'))
    for (const { digits: sentinel } of SENTINELS) {
      const digits = digitsOf({ corridor, sentinel })
      wanted.set(payeeKey(corridor, digits), payeeOf(corridor, digits))
    }
  const payees = new Map<string, string>()
  for (const [key, body] of wanted) payees.set(key, await addPayee(client, org, body))
  return payees
}

async function addPayee(client: ApiClient, org: CrashOrg, body: object): Promise<string> {
  const call: Call = {
    key: org.initiator,
    method: 'POST',
    path: '/v1/beneficiaries',
    body: JSON.stringify(body),
  }
  const answer = await client.call(call)
  if (answer?.status !== 201) throw new Error(`a beneficiary was refused: ${answer?.text}`)
  return created.parse(answer.body).data.beneficiary_id
}
