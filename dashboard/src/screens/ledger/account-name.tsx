import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { ledger } from '../../messages/generated/texts.ts'
import { virtualAccountPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { nameOfAccount } from './name-account.ts'

const { transfers: text } = ledger

/** A ledger account's display name. The title has the API name, which filters and adjustments take. */
export function AccountName({ account }: { account: string }): ReactElement {
  const maySeeVirtual = useMay('virtual-accounts:read')
  const [kind = '', first = ''] = account.split(':')
  if (kind === 'va' && maySeeVirtual)
    return (
      <Link to={virtualAccountPath(first)} title={account}>
        {text.virtual}
      </Link>
    )
  return <span title={account}>{nameOfAccount(account)}</span>
}
