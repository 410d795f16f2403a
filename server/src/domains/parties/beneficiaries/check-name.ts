import type { Connector } from '../../../connectors/kit/connector.ts'
import { nameChecksUsedUp, noSuchAccount } from './errors.ts'
import type { BeneficiaryDetails, NameCheck, NameCheckDeps } from './record.ts'
import { compareNames } from './rules.ts'
import { countNameCheck } from './store.ts'

const unavailable: NameCheck = { status: 'unavailable', accountName: null, provider: null }

/**
 * Asks the first payout provider of the country that can resolve account names. Nothing is stored: the caller judges
 * whether a differing name is the same person.
 */
export async function checkName(
  deps: NameCheckDeps,
  orgId: string,
  payee: { country: string; details: BeneficiaryDetails },
): Promise<NameCheck> {
  const { bank_details: bank } = payee.details
  if (!bank?.account_number) return unavailable
  const country = bank.country ?? payee.country
  const connector = await resolverFor(deps, orgId, country)
  if (!connector?.resolveAccount) return unavailable
  await spendNameCheck(deps, orgId)
  const answer = await connector.resolveAccount({
    accountNumber: bank.account_number,
    bankCode: bank.bank_code,
    country,
  })
  if (answer.kind === 'unknown') return { ...unavailable, provider: connector.name }
  if (answer.kind === 'not_found') throw noSuchAccount()
  const given = `${payee.details.fname} ${payee.details.lname}`
  return {
    status: compareNames(given, answer.accountName),
    accountName: answer.accountName,
    provider: connector.name,
  }
}

/** Whoever may look up any number of accounts would learn who holds each. */
async function spendNameCheck({ db, nameChecksPerDay }: NameCheckDeps, orgId: string): Promise<void> {
  const { checks, endsInMs } = await db.inOrg(orgId, (tx) => countNameCheck(tx, orgId))
  if (checks > nameChecksPerDay) throw nameChecksUsedUp(nameChecksPerDay, endsInMs)
}

async function resolverFor(
  deps: NameCheckDeps,
  orgId: string,
  country: string,
): Promise<Connector | undefined> {
  const corridor = { country, paymentMethod: 'bank_transfer', direction: 'outbound' }
  for (const { carrier, operatorBounds } of await deps.corridors.list(orgId, corridor)) {
    if (!carrier?.accountId || operatorBounds?.length === 0) continue
    const connector = await deps.connectors.load(orgId, carrier.accountId)
    if (connector?.resolveAccount) return connector
  }
  return undefined
}
