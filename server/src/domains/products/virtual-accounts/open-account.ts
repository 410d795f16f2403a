import type { OpenedAccount } from '../../../connectors/kit/accounts.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { openGuardedAccount } from '../../../kernel/ledger/guarded.ts'
import { account as ledgerAccount } from '../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { isMember } from '../../people/organizations/members/reads.ts'
import type { Carrier } from '../../providers/accounts/record.ts'
import type { RoutableConfig } from '../../providers/configs/record.ts'
import { publicNameOf } from '../../people/organizations/rules.ts'
import { providerCannotOpen } from './errors.ts'
import { getAccount } from './reads.ts'
import type {
  AccountDetails,
  NewAccountRow,
  OpenedVirtualAccount,
  NewAccount,
  AccountDeps,
} from './record.ts'
import { accountContext, internalProvider, numberIndex } from './rules.ts'
import { insertAccount } from './store.ts'

/**
 * Uses the first provider that opens accounts in the currency, and an internal account if none can. If one that can
 * does not answer, this fails: the caller expects an account that can receive money.
 */
export async function openAccount(
  deps: AccountDeps,
  caller: Caller,
  input: NewAccount,
): Promise<OpenedVirtualAccount> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  if (input.userId !== caller.userId && !(await isMember(deps, orgId, input.userId)))
    throw forbidden('user_id is not a member of the organisation.')
  const organization = await getOrganizationById(deps, orgId)
  const accountId = newId()
  const name = input.name ?? publicNameOf(organization)
  const place = { orgId, accountId, name, currency: input.currency, country: organization.country }
  const opened = await openAtProvider(deps, place)
  const details = opened && detailsOf(opened)
  const detailsSealed = details ? await deps.vault.seal(orgId, accountContext(accountId), details) : null
  await deps.db.inOrg(orgId, (tx) =>
    openAccountIn(tx, caller, orgId, {
      accountId,
      userId: input.userId,
      customerId: input.customerId,
      name,
      currency: input.currency,
      accountType: 'currency',
      provider: opened?.provider ?? internalProvider,
      providerAccountId: opened?.carrier.accountId ?? null,
      custody: opened?.carrier.custody ?? 'pooled',
      detailsSealed,
      numberIndex: opened
        ? numberIndex(deps.accountNumberKey, opened.provider, opened.depositKey ?? opened.accountNumber)
        : null,
    }),
  )
  return getAccount(deps, orgId, { accountId })
}

/** For the caller's transaction, such as escrow's: the account, its balance row and its audit row. */
export async function openAccountIn(
  tx: Tx,
  caller: Caller,
  orgId: string,
  row: NewAccountRow,
): Promise<void> {
  await insertAccount(tx, orgId, row)
  await openGuardedAccount(tx, orgId, {
    account: ledgerAccount.virtual(row.accountId),
    currency: row.currency,
  })
  await recordAudit(tx, caller, orgId, {
    action: 'virtual-account.open',
    resourceType: 'virtual-account',
    resourceId: row.accountId,
    after: {
      currency: row.currency,
      account_type: row.accountType,
      provider: row.provider,
      custody: row.custody,
    },
  })
}

interface Place {
  orgId: string
  accountId: string
  name: string
  currency: string
  country: string
}

async function openAtProvider(
  deps: AccountDeps,
  place: Place,
): Promise<(OpenedAccount & { provider: string; carrier: Carrier }) | undefined> {
  const { orgId, country, currency } = place
  let hasCandidate = false
  for (const { provider, carrier } of await listCandidates(deps, place)) {
    if (!carrier?.accountId) continue
    const connector = await deps.connectors.load(orgId, carrier.accountId)
    if (!connector?.openAccount || !connector.accountCurrencies?.includes(currency)) continue
    hasCandidate = true
    const outcome = await connector.openAccount({
      reference: place.accountId,
      name: place.name,
      country,
      currency,
    })
    if (outcome.kind === 'opened') return { ...outcome.account, provider, carrier }
  }
  if (hasCandidate) throw providerCannotOpen()
  return undefined
}

/**
 * Each account at a provider that is configured for bank transfers, once. Those that collect in the organisation's
 * country come first, then those that collect elsewhere, then those that only pay out.
 */
async function listCandidates(deps: AccountDeps, { orgId, country }: Place): Promise<RoutableConfig[]> {
  const configs = await deps.corridors.ofMethod(orgId, 'bank_transfer')
  const usable = configs.filter(
    ({ carrier, operatorBounds }) => carrier?.accountId && operatorBounds?.length !== 0,
  )
  const rankOf = (config: RoutableConfig): number =>
    config.direction === 'outbound' ? 2 : config.country === country ? 0 : 1
  const ranked = usable.toSorted((one, other) => rankOf(one) - rankOf(other))
  return [...Map.groupBy(ranked, ({ carrier }) => carrier?.accountId).values()].flatMap(
    ([first]) => first ?? [],
  )
}

const detailsOf = (opened: OpenedAccount): AccountDetails => ({
  accountNumber: opened.accountNumber,
  accountName: opened.accountName,
  bankName: opened.bankName,
  sortCode: opened.sortCode,
  routingNumber: opened.routingNumber,
  iban: opened.iban,
})
