import { between } from '../../shared/chance.ts'
import { initiateListed } from '../attacks/listed.ts'
import { fieldOf } from '../gang.ts'
import { inTwoFields, spellings } from '../listed-person.ts'
import { payeeKind } from '../notebook.ts'
import { sendAsMerchant, sharedKeyProviders } from '../other-merchant.ts'
import * as requests from '../requests.ts'
import { listSubjects } from '../subjects.ts'
import { amountOf, oneOf, somebody, type Move, type WeightedMove } from './move.ts'

const corridorList = Object.values(requests.corridors)
const said = 'The statement of the provider says so, line 1.'

const createBatch: Move = (gang, chance) => {
  const { country, currency } = oneOf(chance, corridorList)
  const payee = chance() < 0.8 ? payeeKind(country, requests.succeeds) : 'beneficiary_id'
  const rows = Array.from({ length: between(chance, 1, 4) }, (_one, at) => ({
    client_reference: `row ${at}`,
    beneficiary_id: gang.notebook.any(payee, chance),
    amount: amountOf(chance),
    currency,
  }))
  const path = `/v1/payouts/batches${chance() < 0.2 ? '?dry_run=true' : ''}`
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path, body: { rows, allow_duplicate: true } })
}

const decideBatch: Move = (gang, chance) => {
  const verb = oneOf(chance, ['approve', 'approve', 'approve', 'reject', 'pause', 'resume', 'cancel'])
  const path = `/v1/payouts/batches/${gang.notebook.any('batch_id', chance)}/${verb}`
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path, body: {} })
}

/** Quotes are collected, so that a later payment can choose the best one. */
const collectQuotes: Move = (gang, chance) => {
  const [from, to] = oneOf(chance, [
    ['GBP', 'NGN'],
    ['USD', 'KES'],
    ['KES', 'UGX'],
    ['NGN', 'GBP'],
  ])
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  return gang.ask({ by: somebody(gang, chance), method: 'GET', path })
}

const routingPolicy: Move = (gang, chance) => {
  const by = somebody(gang, chance)
  const path = '/v1/routing/policies'
  const document = {
    rules: [
      {
        name: 'Mine first',
        when: { country: [oneOf(chance, corridorList).country], method: ['mobile_money'] },
        strategy: { type: 'priority', order: [{ provider: oneOf(chance, ['paystack', 'pawapay']) }] },
      },
    ],
    otherwise: { type: 'priority' },
  }
  return oneOf(chance, [
    () => gang.ask({ by, method: 'PUT', path: `${path}/draft`, body: { document } }),
    () => gang.ask({ by, method: 'POST', path: `${path}/${between(chance, 1, 5)}/publish`, body: {} }),
    () => gang.ask({ by, method: 'POST', path: `${path}/withdraw`, body: {} }),
  ])()
}

/** Whoever is erased is forgotten by the screening, too, if it lets that happen. */
const erase: Move = (gang, chance) => {
  const subject = oneOf(chance, [
    { payment_id: gang.notebook.any('payment_id', chance) },
    { beneficiary_id: gang.notebook.any('beneficiary_id', chance) },
    { email: 'payer@robbery.test' },
  ])
  const body = { ...subject, reason: said }
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path: '/v1/privacy/erasures', body })
}

const decideMatch: Move = (gang, chance) => {
  const by = somebody(gang, chance)
  const path = '/v1/screening/matches'
  const one = `${path}/${gang.notebook.any('match_id', chance)}`
  return oneOf(chance, [
    () => gang.ask({ by, method: 'GET', path: `${path}?status=open` }),
    () => gang.ask({ by, method: 'POST', path: `${one}/clear`, body: { reason: said } }),
    () => gang.ask({ by, method: 'POST', path: `${one}/clear`, body: { reason: said } }),
    () => gang.ask({ by, method: 'POST', path: `${one}/confirm`, body: { reason: said } }),
  ])()
}

/** The listed person under a spelling of the moment, as a payee or a payer. */
const listedPerson: Move = async (gang, chance) => {
  const name = oneOf(chance, spellings)
  const corridor = oneOf(chance, corridorList)
  if (chance() < 0.5) {
    const payer_details = { name, email: 'payer@robbery.test', phone: '256772000130' }
    const payin = { ...requests.momoPayin(corridor, { amount: amountOf(chance) }), payer_details }
    return initiateListed(gang, payin)
  }
  const payee = { ...requests.momoPayee(corridor), ...inTwoFields(name) }
  const created = await gang.ask({ method: 'POST', path: '/v1/beneficiaries', body: payee })
  const beneficiaryId = fieldOf(created, 'beneficiary_id')
  const payout = { amount: amountOf(chance) }
  return beneficiaryId && initiateListed(gang, requests.momoPayout(corridor, payout, { beneficiaryId }))
}

/** A genuine message of the provider about a payment of another merchant, who knows a reference of ours. */
const otherMerchant: Move = async (gang, chance) => {
  const { owner, people, simulatorUrl } = gang.installation
  const subjects = await listSubjects(owner, [gang.org.orgId, people.honest.orgId])
  const fitting = subjects.filter(({ provider }) => sharedKeyProviders.some((name) => name === provider))
  if (fitting.length === 0) return createBatch(gang, chance)
  const { provider, reference, amountMinor } = oneOf(chance, fitting)
  const amount = oneOf(chance, ['1.00', (Number(amountMinor) / 100).toFixed(2)])
  const states = ['completed', 'completed', 'failed', 'reversed'] as const
  const message = { state: oneOf(chance, states), amount, has_reference: chance() < 0.8 }
  return sendAsMerchant(simulatorUrl, { provider, reference, message })
}

export const offerMoves: readonly WeightedMove[] = [
  [createBatch, 6],
  [decideBatch, 5],
  [collectQuotes, 2],
  [routingPolicy, 2],
  [erase, 1],
  [decideMatch, 3],
  [listedPerson, 5],
  [otherMerchant, 8],
]
