import type { VirtualAccount } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { terms, virtualAccounts as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import styles from '../../ui/form.module.css'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { AccountBadge } from '../virtual-accounts/account-badge.tsx'
import { AccountActions } from './actions.tsx'
import { Statement } from './statement.tsx'
import { Transactions } from './transactions.tsx'

export function Screen(): ReactElement {
  const { accountId = '' } = useParams()
  const mayWrite = useMay('virtual-accounts:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['virtual-accounts', 'one', accountId],
    queryFn: ({ signal }) => api.virtualAccounts.get(accountId, { signal }),
  })
  return (
    <Page
      title={data?.virtual_account_name || text.page}
      above={<Link to={paths.virtualAccounts}>{text.all}</Link>}
      beside={data && <AccountBadge status={data.status} />}
      aside={data && mayWrite && <AccountActions account={data} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={work.split}>
          <div className={work.tabbed}>
            <Tabs
              label={text.views}
              tabs={[
                {
                  id: 'transactions',
                  label: text.transactions.title,
                  content: <Transactions accountId={accountId} />,
                },
                { id: 'statement', label: text.statement.title, content: <Statement account={data} /> },
              ]}
            />
          </div>
          <div className={work.stack}>
            <Balances account={data} />
            <PayInto account={data} />
            <Details account={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

const Balances = ({ account }: { account: VirtualAccount }): ReactElement => (
  <Panel>
    <p className={work.lead}>
      <Money amount={account.balance} currency={account.currency} />
    </p>
    <Facts
      facts={[
        {
          label: text.available,
          value: <Money amount={account.available_balance} currency={account.currency} />,
        },
        { label: text.held, value: <Money amount={account.held_balance} currency={account.currency} /> },
      ]}
    />
  </Panel>
)

const Copied = ({ value, label }: { value: string; label: string }): ReactElement => (
  <span className={styles.endRow}>
    <span className={ui.number}>{value}</span>
    {/* A masked number is not worth copying. */}
    {!value.includes('*') && <CopyButton text={value} label={label} />}
  </span>
)

const PayInto = ({ account: { bank_details: bank } }: { account: VirtualAccount }): ReactElement => (
  <Panel title={text.payInto}>
    <p className={`${work.prose} ${ui.muted}`}>{bank === null ? text.internalText : text.payIntoText}</p>
    {bank !== null && (
      <Facts
        facts={[
          {
            label: text.accountNumber,
            value: <Copied value={bank.account_number} label={text.accountNumber} />,
          },
          { label: text.accountName, value: bank.account_name },
          { label: text.bankName, value: bank.bank_name },
        ]}
      />
    )}
  </Panel>
)

const Details = ({ account }: { account: VirtualAccount }): ReactElement => (
  <Panel title={text.details}>
    <Facts
      facts={[
        { label: text.type, value: nameOf(text.types, account.account_type) },
        { label: text.customer, value: account.customer_id },
        {
          label: text.provider,
          value: account.provider === 'internal' ? text.internal : nameOf(terms.provider, account.provider),
        },
        { label: text.custody, value: nameOf(text.custodies, account.custody) },
        { label: text.opened, value: <Moment at={account.created_at} isExact /> },
        {
          label: text.id,
          value: (
            <span className={styles.endRow}>
              <code className={ui.requestId}>{account.account_id}</code>
              <CopyButton text={account.account_id} label={text.id} />
            </span>
          ),
        },
      ]}
    />
  </Panel>
)
