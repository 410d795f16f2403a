import type { ReactElement } from 'react'
import { ledger as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { SubNav } from '../../ui/sub-nav.tsx'

export const LedgerLists = (): ReactElement => {
  const maySeeLedger = useMay('ledger:read')
  return (
    <SubNav
      label={text.lists}
      links={[
        { to: paths.balances, label: text.balances.title },
        ...(maySeeLedger
          ? [
              { to: paths.ledger, label: text.transfers.title },
              { to: paths.adjustments, label: text.adjustments.title },
            ]
          : []),
      ]}
    />
  )
}
