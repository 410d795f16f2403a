import type { Escrow } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { escrows as text } from '../../messages/generated/texts.ts'
import { paths, virtualAccountPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import work from '../../ui/work.module.css'
import { EscrowBadge } from '../escrows/escrow-badge.tsx'
import { CancelDialog, FundDialog } from './escrow-dialogs.tsx'
import { Milestones } from './milestones.tsx'
import { Parties } from './parties.tsx'
import { useEscrow } from './use-escrow.ts'

export function Screen(): ReactElement {
  const { escrowId = '' } = useParams()
  const mayWrite = useMay('escrow:write')
  const { data, error, refetch } = useEscrow(escrowId)
  return (
    <Page
      title={data?.name ?? text.page}
      above={<Link to={paths.escrows}>{text.all}</Link>}
      beside={data && <EscrowBadge status={data.status} />}
      aside={data && mayWrite && <Actions escrow={data} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={work.split}>
          <Milestones escrow={data} />
          <div className={work.stack}>
            <Totals escrow={data} />
            <Parties escrow={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

function Actions({ escrow }: { escrow: Escrow }): ReactElement {
  const [opened, setOpened] = useState<'fund' | 'cancel'>()
  const reason = escrow.status === 'active' ? undefined : text.fund.canceled
  const dialog = { escrow, onClose: () => setOpened(undefined) }
  return (
    <div className={work.row}>
      <ActionButton label={text.cancel.button} reason={reason} onClick={() => setOpened('cancel')} />
      <ActionButton label={text.fund.button} isPrimary reason={reason} onClick={() => setOpened('fund')} />
      {opened === 'fund' && <FundDialog {...dialog} />}
      {opened === 'cancel' && <CancelDialog {...dialog} />}
    </div>
  )
}

function Totals({ escrow }: { escrow: Escrow }): ReactElement {
  const maySeeAccount = useMay('virtual-accounts:read')
  const { currency } = escrow
  return (
    <Panel title={text.totals}>
      <Facts
        facts={[
          { label: text.balance, value: <Money amount={escrow.balance} currency={currency} /> },
          { label: text.funded, value: <Money amount={escrow.funded_total} currency={currency} /> },
          { label: text.disbursed, value: <Money amount={escrow.disbursed_total} currency={currency} /> },
          {
            label: text.returned,
            value: /[1-9]/.test(escrow.returned_total) && (
              <Money amount={escrow.returned_total} currency={currency} />
            ),
          },
          { label: text.description, value: escrow.description },
          {
            label: text.account,
            value: maySeeAccount && (
              <Link to={virtualAccountPath(escrow.account_id)}>{text.openAccount}</Link>
            ),
          },
          { label: text.created, value: <Moment at={escrow.created_at} isExact /> },
        ]}
      />
    </Panel>
  )
}
