import type { ApprovalPoliciesListResult } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { policies as text, settings } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { isHeld } from '../members/parts.tsx'

type Policy = ApprovalPoliciesListResult['policies'][number]
type OpenDialog = 'edit' | Policy

export function Policies({ orgId }: { orgId: string }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['approval-policies', orgId],
    queryFn: ({ signal }) => api.approvalPolicies.list(orgId, { signal }),
  })
  const mayWrite = useMay('approval-policies:write')
  const [opened, setOpened] = useState<OpenDialog>()
  const rows = data?.policies ?? []
  const dialog = { orgId, rows, onClose: () => setOpened(undefined) }
  return (
    <Panel
      title={settings.approvals}
      aside={data && mayWrite && <Button onClick={() => setOpened('edit')}>{text.edit}</Button>}
    >
      <p className={parts.text}>{text.text}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && rows.length === 0 && <EmptyState title={text.empty} text={text.emptyText} />}
      {rows.length > 0 && (
        <Table
          title={settings.approvals}
          columns={columnsWith(mayWrite, setOpened)}
          rows={rows}
          keyOf={({ currency }) => currency}
        />
      )}
      {opened === 'edit' && <EditDialog {...dialog} />}
      {opened !== undefined && opened !== 'edit' && <RemoveDialog {...dialog} policy={opened} />}
    </Panel>
  )
}

function columnsWith(mayWrite: boolean, onRemove: (policy: Policy) => void): readonly Column<Policy>[] {
  const columns: readonly Column<Policy>[] = [
    { label: text.currency, cell: ({ currency }) => currency },
    {
      label: text.payoutFrom,
      isEnd: true,
      cell: ({ payout_from, currency }) => <Money amount={payout_from} currency={currency} />,
    },
    {
      label: text.dailyFrom,
      isEnd: true,
      cell: ({ daily_from, currency }) => <Limit amount={daily_from} currency={currency} />,
    },
    {
      label: text.refundFrom,
      isEnd: true,
      cell: ({ refund_from, currency }) => <Limit amount={refund_from} currency={currency} />,
    },
    {
      label: text.refundDailyFrom,
      isEnd: true,
      cell: ({ refund_daily_from, currency }) => <Limit amount={refund_daily_from} currency={currency} />,
    },
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    {
      label: text.actions,
      isEnd: true,
      cell: (policy) => (
        <Button
          className={ui.small}
          aria-label={text.removeOf(policy.currency)}
          onClick={() => onRemove(policy)}
        >
          {text.remove}
        </Button>
      ),
    },
  ]
}

const Limit = ({ amount, currency }: { amount: string | null; currency: string }): ReactElement =>
  amount === null ? (
    <span className={ui.muted}>{text.noDaily}</span>
  ) : (
    <Money amount={amount} currency={currency} />
  )

interface DialogProps {
  orgId: string
  rows: readonly Policy[]
  onClose: () => void
}

/** The API replaces all policies at once, so the others are sent unchanged. */
async function setPolicies(
  orgId: string,
  policies: readonly Policy[],
  idempotencyKey: string,
): Promise<void> {
  const answer = await api.approvalPolicies.set(orgId, { policies }, { idempotencyKey })
  showToast(isHeld(answer) ? settings.held : settings.saved)
}

const optionalLimits = [
  { name: 'daily_from', label: text.dailyFrom, hint: text.dailyHint },
  { name: 'refund_from', label: text.refundFrom, hint: text.refundHint },
  { name: 'refund_daily_from', label: text.refundDailyFrom, hint: text.refundDailyHint },
] as const

function EditDialog({ orgId, rows, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.editTitle}
      text={text.editText}
      submitLabel={settings.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const currency = field('currency').toUpperCase()
        const policy = {
          currency,
          payout_from: field('payout_from'),
          daily_from: field('daily_from') || null,
          refund_from: field('refund_from') || null,
          refund_daily_from: field('refund_daily_from') || null,
        }
        const others = rows.filter((row) => row.currency !== currency)
        // The server checks that the amounts are numbers.
        await setPolicies(orgId, [...others, policy as Policy], idempotencyKey)
        await client.invalidateQueries({ queryKey: ['approval-policies'] })
      }}
    >
      <TextField name="currency" label={text.currency} required maxLength={3} pattern="[A-Za-z]{3}" />
      <TextField
        name="payout_from"
        label={text.payoutFrom}
        required
        inputMode="decimal"
        pattern="\d+(\.\d+)?"
      />
      {optionalLimits.map(({ name, label, hint }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          hint={hint}
          inputMode="decimal"
          pattern="\d+(\.\d+)?"
        />
      ))}
    </FormDialog>
  )
}

function RemoveDialog({ orgId, rows, onClose, policy }: DialogProps & { policy: Policy }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.removeTitle}
      text={text.removeText(policy.currency)}
      submitLabel={text.remove}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const others = rows.filter((row) => row.currency !== policy.currency)
        await setPolicies(orgId, others, idempotencyKey)
        await client.invalidateQueries({ queryKey: ['approval-policies'] })
      }}
    />
  )
}
