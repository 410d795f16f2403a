import type { ScreenedAddress } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { screening as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/checks.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'

type OpenDialog = 'add' | ScreenedAddress

export function Screen(): ReactElement {
  const address = useListAddress([])
  const result = useList('screening', address, (query, options) =>
    api.screening.listAddresses(query, options),
  )
  const mayWrite = useMay('provider-configs:write')
  const isOperator = useMay('platform:write')
  const [opened, setOpened] = useState<OpenDialog>()
  const onClose = (): void => setOpened(undefined)
  const add = mayWrite && (
    <Button isPrimary onClick={() => setOpened('add')}>
      {text.add}
    </Button>
  )
  const isRemovable = (row: ScreenedAddress): boolean => mayWrite && (row.org_id !== null || isOperator)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columnsWith(isRemovable, setOpened, mayWrite)}
        keyOf={({ address: one, org_id }) => `${one} ${org_id ?? ''}`}
        empty={{ title: text.empty, text: text.emptyText, ...(add && { action: add }) }}
        aside={result.data && result.data.data.length > 0 && add}
        filters={<p className={ui.muted}>{text.text}</p>}
      />
      {opened === 'add' && <AddDialog isOperator={isOperator} onClose={onClose} />}
      {opened !== undefined && opened !== 'add' && <RemoveDialog row={opened} onClose={onClose} />}
    </>
  )
}

function columnsWith(
  isRemovable: (row: ScreenedAddress) => boolean,
  onRemove: (row: ScreenedAddress) => void,
  mayWrite: boolean,
): readonly Column<ScreenedAddress>[] {
  const columns: readonly Column<ScreenedAddress>[] = [
    { label: text.address, cell: ({ address }) => <span className={parts.mono}>{address}</span> },
    {
      label: text.verdict,
      cell: ({ verdict }) => (
        <Badge tone={verdict === 'allow' ? 'good' : 'bad'} text={nameOf(text.verdicts, verdict)} />
      ),
    },
    { label: text.reason, cell: ({ reason }) => <span className={work.wrapping}>{reason}</span> },
    { label: text.scope, cell: ({ org_id }) => (org_id === null ? text.everywhere : text.here) },
    { label: text.added, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    {
      label: text.actions,
      isEnd: true,
      cell: (row) =>
        isRemovable(row) && (
          <Button className={ui.small} aria-label={text.removeOf(row.address)} onClick={() => onRemove(row)}>
            {text.remove}
          </Button>
        ),
    },
  ]
}

function AddDialog({ isOperator, onClose }: { isOperator: boolean; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const [isEverywhere, setEverywhere] = useState(false)
  return (
    <FormDialog
      title={text.addTitle}
      text={text.addText}
      submitLabel={text.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const verdict = field('verdict') === 'allow' ? 'allow' : 'deny'
        const body = { verdict, reason: field('reason'), ...(isEverywhere && { everywhere: true }) } as const
        await api.screening.setAddress(field('address'), body, { idempotencyKey })
        showToast(text.saved)
        await client.invalidateQueries({ queryKey: ['screening'] })
      }}
    >
      <TextField name="address" label={text.address} required maxLength={200} />
      <SelectField name="verdict" label={text.verdict} options={text.choices} />
      <AreaField name="reason" label={text.reason} required maxLength={200} />
      {isOperator && (
        <Check label={`${text.scope} ${text.everywhere}`} isChecked={isEverywhere} onChange={setEverywhere} />
      )}
    </FormDialog>
  )
}

function RemoveDialog({ row, onClose }: { row: ScreenedAddress; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.removeTitle}
      text={text.removeText}
      submitLabel={text.remove}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const query = row.org_id === null ? { everywhere: 'true' } : {}
        await api.screening.deleteAddress(row.address, query, { idempotencyKey })
        showToast(text.removed)
        await client.invalidateQueries({ queryKey: ['screening'] })
      }}
    />
  )
}
