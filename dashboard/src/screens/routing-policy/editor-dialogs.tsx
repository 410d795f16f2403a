import { useState, type ReactElement } from 'react'
import { policyEditor as text, routingPolicies } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from './policy.module.css'
import type { Policy } from './policy.ts'
import { readOrder } from './read-rule.ts'
import { StrategyFields } from './strategy-fields.tsx'
import { saveDraft, useRefresh } from './use-policy.ts'

interface EditorDialogProps {
  policy: Policy
  onChange: (policy: Policy | undefined) => void
  onClose: () => void
}

export function OtherwiseDialog({ policy, onChange, onClose }: EditorDialogProps): ReactElement {
  const [strategy, setStrategy] = useState(policy.otherwise)
  return (
    <FormDialog
      title={text.otherwiseTitle}
      submitLabel={text.apply}
      onClose={onClose}
      onSubmit={({ text: field }) => {
        const { order: _before, ...chosen } = strategy
        onChange({ ...policy, otherwise: { ...chosen, ...readOrder(field('order')) } })
        return Promise.resolve()
      }}
    >
      <StrategyFields strategy={strategy} onChange={setStrategy} />
    </FormDialog>
  )
}

export const JsonDialog = ({ policy, onChange, onClose }: EditorDialogProps): ReactElement => (
  <FormDialog
    title={text.jsonTitle}
    text={text.jsonText}
    submitLabel={text.apply}
    onClose={onClose}
    onSubmit={async ({ text: field }) => {
      onChange(await Promise.resolve(field('document')).then(parsePolicy))
    }}
  >
    <div className={styles.json}>
      <AreaField
        name="document"
        label={text.document}
        spellCheck={false}
        defaultValue={JSON.stringify(policy, null, 2)}
      />
    </div>
  </FormDialog>
)

/** Checks only the shape that this page needs; the server validates the rest when the draft is saved. */
function parsePolicy(json: string): Policy {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new Error(text.notJson)
  }
  if (!isPolicy(value)) throw new Error(text.notPolicy)
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPolicy = (value: unknown): value is Policy =>
  isObject(value) &&
  isObject(value['otherwise']) &&
  Array.isArray(value['rules']) &&
  value['rules'].every(
    (rule) =>
      isObject(rule) &&
      typeof rule['name'] === 'string' &&
      isObject(rule['when']) &&
      isObject(rule['strategy']),
  )

export function SaveDialog({ policy, onChange, onClose }: EditorDialogProps): ReactElement {
  const refresh = useRefresh()
  return (
    <FormDialog
      title={text.saveTitle}
      text={text.saveText}
      submitLabel={text.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const { version } = await saveDraft(policy, field('note'), { idempotencyKey })
        showToast(text.saved(version))
        await refresh()
        onChange(undefined)
      }}
    >
      <TextField name="note" label={routingPolicies.note} maxLength={200} />
    </FormDialog>
  )
}
