import type { CheckedKeys, ProviderAccount } from '@switchyard/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { accounts as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { AddAccountDialog, ReplaceDialog, RetireDialog } from './account-dialogs.tsx'

type OpenDialog = { what: 'add' } | { what: 'replace' | 'retire'; account: ProviderAccount }

export function Screen(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['provider-accounts'],
    queryFn: ({ signal }) => api.providerAccounts.list({}, { signal }),
  })
  const mayWrite = useMay('provider-configs:write')
  const [opened, setOpened] = useState<OpenDialog>()
  const onClose = (): void => setOpened(undefined)
  const add = mayWrite && (
    <Button isPrimary onClick={() => setOpened({ what: 'add' })}>
      {text.add}
    </Button>
  )
  return (
    <Page title={text.title} aside={data && data.length > 0 && add}>
      <p className={ui.muted}>{text.text}</p>
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
        {data?.length === 0 && <EmptyState title={text.empty} text={text.emptyText} action={add} />}
        {data && data.length > 0 && <Accounts rows={data} mayWrite={mayWrite} onOpen={setOpened} />}
      </Panel>
      {opened?.what === 'add' && <AddAccountDialog onClose={onClose} />}
      {opened?.what === 'replace' && <ReplaceDialog account={opened.account} onClose={onClose} />}
      {opened?.what === 'retire' && <RetireDialog account={opened.account} onClose={onClose} />}
    </Page>
  )
}

interface AccountsProps {
  rows: readonly ProviderAccount[]
  mayWrite: boolean
  onOpen: (opened: OpenDialog) => void
}

function Accounts({ rows, mayWrite, onOpen }: AccountsProps): ReactElement {
  const { org_id: ownId } = useIdentity().me
  const isOperator = useMay('platform:write')
  const canChange = ({ org_id }: ProviderAccount): boolean =>
    org_id === null ? isOperator : org_id === ownId
  const hasActions = mayWrite && rows.some(canChange)
  return (
    <Table
      title={text.title}
      rows={rows}
      keyOf={({ account_id }) => account_id}
      columns={[
        ...columns,
        ...(hasActions
          ? [
              {
                label: text.actions,
                isEnd: true,
                cell: (account: ProviderAccount) =>
                  canChange(account) && <AccountActions account={account} onOpen={onOpen} />,
              },
            ]
          : []),
      ]}
    />
  )
}

const columns: readonly Column<ProviderAccount>[] = [
  {
    label: text.account,
    cell: ({ label, provider, external_account_id }) => (
      <span className={parts.lines}>
        <span className={ui.ellipsis}>{label === provider ? nameOf(terms.provider, provider) : label}</span>
        <span className={parts.small}>
          {[provider, external_account_id].filter((part) => part !== null).join(' · ')}
        </span>
      </span>
    ),
  },
  { label: text.owner, cell: ({ org_id }) => (org_id === null ? text.installation : text.own) },
  {
    label: text.status,
    cell: ({ status }) => (
      <Badge tone={status === 'active' ? 'good' : 'neutral'} text={nameOf(text.statuses, status)} />
    ),
  },
  {
    label: text.webhookUrl,
    cell: ({ webhook_url, label }) =>
      webhook_url !== null && <CopyButton text={webhook_url} label={`${text.webhookUrl} (${label})`} />,
  },
]

const describeVerdict = ({ verdict, is_same_account }: CheckedKeys): string =>
  [nameOf(text.verdicts, verdict), is_same_account === false && text.otherAccount].filter(Boolean).join(' ')

function AccountActions({
  account,
  onOpen,
}: {
  account: ProviderAccount
  onOpen: (opened: OpenDialog) => void
}): ReactElement {
  const client = useQueryClient()
  const { account_id, org_id, provider, label, status } = account
  const check = useMutation({
    mutationFn: () => api.providerCredentials.check(provider, { org_id, account_id }),
    onSuccess: (checked) => showToast(`${label}: ${describeVerdict(checked)}`),
    onError: (failure) => showToast(failure.message),
  })
  const revive = useMutation({
    mutationFn: () => api.providerAccounts.update(account_id, { status: 'active' }),
    onSuccess: () => showToast(text.revived),
    onError: (failure) => showToast(failure.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['provider-accounts'] }),
  })
  if (status === 'retired')
    return (
      <Button
        className={ui.small}
        aria-label={text.reviveOf(label)}
        disabled={revive.isPending}
        onClick={() => revive.mutate()}
      >
        {text.revive}
      </Button>
    )
  return (
    <span className={parts.rowActions}>
      <Button
        className={ui.small}
        aria-label={text.checkOf(label)}
        disabled={check.isPending}
        onClick={() => check.mutate()}
      >
        {text.check}
      </Button>
      <Button
        className={ui.small}
        aria-label={text.replaceOf(label)}
        onClick={() => onOpen({ what: 'replace', account })}
      >
        {text.replace}
      </Button>
      <Button
        className={ui.small}
        aria-label={text.retireOf(label)}
        onClick={() => onOpen({ what: 'retire', account })}
      >
        {text.retire}
      </Button>
    </span>
  )
}
