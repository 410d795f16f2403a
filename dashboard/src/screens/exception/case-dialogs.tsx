import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useNamesById } from '../../api/member-names.ts'
import { exception as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { AreaField, SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useSettled, type ActionProps } from './use-settled.ts'

export function CloseDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.close.title}
      text={text.close.text}
      submitLabel={text.close.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { resolution: field('resolution') }
        await api.exceptions.close(exception.exception_id, body, { idempotencyKey })
        await settled(text.close.done)
      }}
    >
      <AreaField name="resolution" label={text.close.resolution} required maxLength={500} />
    </FormDialog>
  )
}

export function NoteDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.note.title}
      text={text.note.text}
      submitLabel={text.note.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        await api.exceptions.addNote(exception.exception_id, { note: field('note') }, { idempotencyKey })
        await settled(text.note.done)
      }}
    >
      <AreaField name="note" label={text.note.note} required maxLength={2000} />
    </FormDialog>
  )
}

export function AssignDialog({ exception, onClose }: ActionProps): ReactElement {
  const { me } = useIdentity()
  const settled = useSettled()
  const names = useNamesById()
  const options = { '': text.assign.nobody, ...Object.fromEntries(names ?? []) }
  return (
    <FormDialog
      title={text.assign.title}
      submitLabel={text.assign.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const user_id = field('user_id') === '' ? null : field('user_id')
        await api.exceptions.assign(exception.exception_id, { user_id }, { idempotencyKey })
        await settled(text.assign.done)
      }}
    >
      <SelectField
        key={names === undefined ? 'loading' : 'loaded'}
        name="user_id"
        label={text.assign.member}
        options={options}
        defaultValue={exception.assignee_id ?? me.user_id}
      />
    </FormDialog>
  )
}
