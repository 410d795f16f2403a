import type { Chance } from '../../shared/chance.ts'
import { fieldOf, type Gang } from '../gang.ts'
import { payeeKind } from '../notebook.ts'
import type { Heard } from '../thief.ts'
import { amountOf, oneOf, somebody, virtualAccount, type Move } from './move.ts'

const path = '/v1/virtual-accounts/escrow'

/** One request to any escrow, in any order. */
export const escrow: Move = (gang, chance) => {
  const { notebook } = gang
  const one = `${path}/${notebook.any('escrow_id', chance)}`
  const milestone = `${one}/milestones/${notebook.any('milestone_id', chance)}`
  const amount = amountOf(chance)
  const [where, body] = oneOf<readonly [string, object]>(chance, [
    [
      path,
      {
        name: 'robbery',
        currency: oneOf(chance, ['NGN', 'NGN', 'KES']),
        custody: oneOf(chance, ['pooled', 'own']),
      },
    ],
    [`${one}/fund`, { account_id: virtualAccount(gang, chance), amount }],
    [`${one}/parties`, { name: 'thief', beneficiary_id: notebook.any('beneficiary_id', chance) }],
    [`${one}/parties`, { name: 'thief', account_id: notebook.any('virtual_account_id', chance) }],
    [
      `${one}/milestones`,
      {
        label: 'loot',
        expected_disbursement: amount,
        parties: [{ party_id: notebook.any('party_id', chance), split_value: 100 }],
      },
    ],
    [`${milestone}/contract`, { reference: 'robbery' }],
    [`${milestone}/approve`, {}],
    [`${milestone}/disburse`, {}],
    [`${one}/cancel`, {}],
  ])
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path: where, body })
}

/** Money that lies in one custody is escrowed and paid to a payee, who may be paid from the other. */
export const escrowScheme: Move = async (gang, chance) => {
  const post = (where: string, body: object): Promise<Heard> =>
    gang.ask({ by: somebody(gang, chance), method: 'POST', path: where, body })
  const amount = amountOf(chance)
  const custody = oneOf(chance, ['pooled', 'own'])
  const opened = fieldOf(await post(path, { name: 'scheme', currency: 'NGN', custody }), 'escrow_id')
  if (opened === undefined) return
  const one = `${path}/${opened}`
  const party = fieldOf(await post(`${one}/parties`, { name: 'thief', ...payeeOf(gang, chance) }), 'party_id')
  if (party === undefined) return
  const parties = [{ party_id: party, split_value: 100 }]
  const loot = { label: 'loot', expected_disbursement: amount, parties }
  const created = fieldOf(await post(`${one}/milestones`, loot), 'milestone_id')
  if (created === undefined) return
  await post(`${one}/fund`, { account_id: virtualAccount(gang, chance), amount })
  const milestone = `${one}/milestones/${created}`
  await post(`${milestone}/contract`, { reference: 'robbery' })
  await post(`${milestone}/approve`, {})
  // Twice at the same moment, and the money back as well.
  await Promise.all([
    post(`${milestone}/disburse`, {}),
    post(`${milestone}/disburse`, {}),
    ...(chance() < 0.3 ? [post(`${one}/cancel`, {})] : []),
  ])
}

const payeeOf = (gang: Gang, chance: Chance): object =>
  oneOf(chance, [
    { account_id: virtualAccount(gang, chance) },
    { beneficiary_id: gang.notebook.any(payeeKind('NG', 'bank'), chance) },
  ])
