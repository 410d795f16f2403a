import { Dialog } from '@base-ui/react/dialog'
import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { useMutation } from '@tanstack/react-query'
import { useRef, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { states } from '../messages/en/states.ts'
import { Button, buttonClass } from './button.tsx'
import { FieldErrors } from './fields.tsx'
import styles from './ui.module.css'

interface Submission {
  /** A field as text, without spaces around it; empty if it was left empty. */
  text: (name: string) => string
  /** Repeats of a submission whose outcome is unknown have the same key, so that it is carried out once. */
  idempotencyKey: string
}

interface FormDialogProps {
  title: string
  /** What will happen. */
  text?: ReactNode
  submitLabel: string
  isDangerous?: boolean
  onClose: () => void
  /** The dialog closes when it is done, and shows the error when it fails. */
  onSubmit: (submission: Submission) => Promise<unknown>
  /** The fields; without any, it is a question to confirm. */
  children?: ReactNode
}

/** A form, or a question, in a dialog. The cursor is on the first field, or on Cancel: Enter alone commits nothing. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const key = useRef<string>(undefined)
  const submit = useMutation({
    mutationFn: props.onSubmit,
    onSuccess: props.onClose,
    onError: (error) => {
      if (!(error instanceof OutcomeUnknown)) key.current = undefined
    },
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    key.current ??= crypto.randomUUID()
    submit.mutate({
      text: (name) => {
        const value = form.get(name)
        return typeof value === 'string' ? value.trim() : ''
      },
      idempotencyKey: key.current,
    })
  }
  const details = submit.error instanceof ApiError ? submit.error.details : []
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && !submit.isPending && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <form className={styles.dialogBody} onSubmit={onSubmit}>
            <Dialog.Title className={styles.dialogTitle}>{props.title}</Dialog.Title>
            {props.text !== undefined && (
              <Dialog.Description render={<div />} className={styles.muted}>
                {props.text}
              </Dialog.Description>
            )}
            <FieldErrors value={new Map(details.map(({ path, message }) => [path, message]))}>
              {props.children}
            </FieldErrors>
            {submit.error && <Failure error={submit.error} />}
            <div className={styles.dialogActions}>
              <Dialog.Close className={buttonClass(false)} disabled={submit.isPending}>
                {states.cancel}
              </Dialog.Close>
              <Button
                type="submit"
                isPrimary
                className={props.isDangerous ? styles.dangerous : ''}
                disabled={submit.isPending}
              >
                {props.submitLabel}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A request whose outcome nobody knows has not failed; the person looks before they repeat it. */
function Failure({ error }: { error: Error }): ReactElement {
  const isUnknown = error instanceof OutcomeUnknown
  return (
    <div className={isUnknown ? styles.doubt : styles.refusal} role="alert">
      {isUnknown ? states.outcomeUnknown : error.message}
      {error instanceof ApiError && error.requestId !== undefined && (
        <span className={styles.requestId}>
          {states.requestId} {error.requestId}
        </span>
      )}
    </div>
  )
}
