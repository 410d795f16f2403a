import type { Tx } from '../../../../kernel/db/database.ts'
import { parseAmount } from '../../virtual-accounts/transactions/rules.ts'
import type { Escrow } from '../record.ts'
import { selectParties } from '../store.ts'
import { wrongField } from './errors.ts'
import type { SplitUpdate } from './record.ts'
import { parsePercent, type Split } from './rules.ts'

/**
 * Checks that each update names a different party of this escrow, and keeps the party's split type unless another is
 * given.
 */
export async function readSplits(
  tx: Tx,
  escrow: Escrow,
  updates: readonly SplitUpdate[],
  existing: readonly Split[],
): Promise<Split[]> {
  const parties = await selectParties(tx, escrow.orgId, escrow.escrowId)
  const known = new Set(parties.map(({ partyId }) => partyId))
  const seen = new Set<string>()
  return updates.map((update) => {
    if (!known.has(update.party_id))
      throw wrongField('party_id', `${update.party_id} is not a party of the escrow`)
    if (seen.has(update.party_id)) throw wrongField('party_id', `${update.party_id} is given twice`)
    seen.add(update.party_id)
    const current = existing.find((split) => split.partyId === update.party_id)?.type
    const type = update.split_type ?? current ?? 'percentage'
    return { partyId: update.party_id, type, value: valueOf(update, type, escrow.currency) }
  })
}

function valueOf({ split_value: value }: SplitUpdate, type: Split['type'], currency: string): bigint {
  if (type === 'fixed') return parseAmount(value, currency)
  const percent = parsePercent(value)
  if (percent === undefined) throw wrongField('parties', 'a percentage has at most six decimals')
  return percent
}
