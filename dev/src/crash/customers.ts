import { z } from 'zod'
import { bankBeneficiary, mobileMoneyBeneficiary } from '../../../server/src/testing/payment-requests.ts'
import type { ApiClient, Call } from './client.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPayment } from './plan.ts'
import { goOn, initiate, quote, type Customer, type Told } from './customer.ts'
import { requestFor, type Payees } from './requests.ts'

export type Customers = {
  play(payment: PlannedPayment): Promise<void>
  readonly told: Told
}

const created = z.object({ data: z.object({ beneficiary_id: z.string() }) })

export async function openCustomers(client: ApiClient, orgs: readonly CrashOrg[]): Promise<Customers> {
  const payees = await Promise.all(orgs.map((org) => addPayees(client, org)))
  const told: Told = { acknowledged: [], unheard: 0, refused: new Map(), strangersSaw: [] }
  return {
    told,
    async play(payment) {
      const org = orgs[payment.org]
      const stranger = orgs[1 - payment.org]
      const own = payees[payment.org]
      if (!org || !own || !stranger) throw new Error('a payment belongs to no organisation')
      const customer: Customer = { client, org, payment }
      const rate = payment.isExchanged ? await quote(customer) : undefined
      if (payment.isExchanged && !rate) return
      const body = requestFor(payment, { org, payees: own, quote: rate })
      const started = await initiate(customer, body, told)
      if (!started) return
      const { paymentId } = started
      told.acknowledged.push({ paymentId, orgId: org.orgId, key: org.initiator, index: payment.index })
      if (payment.isReadByStranger) await readAsStranger(client, stranger, paymentId, told)
      await goOn(customer, started)
    },
  }
}

async function readAsStranger(
  client: ApiClient,
  stranger: CrashOrg,
  paymentId: string,
  told: Told,
): Promise<void> {
  const paths = [`/v1/payments/transaction/${paymentId}`, `/v1/payments/${paymentId}/timeline`]
  for (const path of paths) {
    const answer = await client.call({ key: stranger.initiator, method: 'GET', path })
    if (answer && answer.status !== 404) told.strangersSaw.push(`${path}: ${answer.status}`)
  }
}

const sentinelDigits = Array.from({ length: 19 }, (_, index) => String(11 + index))

async function addPayees(client: ApiClient, org: CrashOrg): Promise<Payees> {
  const add = async (body: object): Promise<string> => {
    const call: Call = {
      key: org.initiator,
      method: 'POST',
      path: '/v1/beneficiaries',
      body: JSON.stringify(body),
    }
    const answer = await client.call(call)
    if (answer?.status !== 201) throw new Error(`a beneficiary was not taken: ${answer?.text}`)
    return created.parse(answer.body).data.beneficiary_id
  }
  const byPhone = async (digits: string): Promise<[string, string]> => {
    const momo_details = { provider: 'MTN', phone_number: `2567834567${digits}` }
    return [digits, await add(mobileMoneyBeneficiary({ momo_details }))]
  }
  return {
    bank: await add(bankBeneficiary()),
    bankByHand: await add(
      bankBeneficiary({ country: 'GB', currency: 'GBP', bank_details: { account_number: '00012345' } }),
    ),
    mobileMoney: new Map(await Promise.all(['00', ...sentinelDigits].map(byPhone))),
  }
}
