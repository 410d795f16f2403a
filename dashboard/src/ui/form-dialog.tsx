import { Dialog } from '@base-ui/react/dialog'
import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { states } from '../messages/generated/texts.ts'
import { Button, buttonClass } from './button.tsx'
import { Facts } from './facts.tsx'
import { FieldErrors } from './fields.tsx'
import type { Sent } from './kept-sendings.ts'
import { readFields, readSent, type ReadField } from './read-form.ts'
import styles from './ui.module.css'
import { useSending } from './use-sending.ts'

interface Submission {
  text: ReadField
  /** Repeats of a submission whose outcome is unknown have the same key, so that it is carried out once. */
  idempotencyKey: string
}

interface FormDialogProps {
  title: string
  /** What will happen. */
  text?: ReactNode
  submitLabel: string
  isDangerous?: boolean
  /**
   * What a dialog that moves money does to what, such as `transfer` and the id of the account. Its key then outlives
   * the dialog until the outcome is known. The submission may depend on the subject and the fields only.
   */
  subject?: string
  onClose: () => void
  /** The dialog closes when it is done, and shows the error when it fails. */
  onSubmit: (submission: Submission) => Promise<unknown>
  /** The fields; without any, it is a question to confirm. */
  children?: ReactNode
}

/**
 * A form, or a question, in a dialog. The cursor is on the first field, or on Cancel: Enter alone commits nothing. While
 * the outcome is unknown, the form cannot be changed and its button repeats the submission.
 */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { doubt, send, forget } = useSending(props.subject)
  // What was typed before the dialog was closed is no longer in its fields.
  const [isReopened, setReopened] = useState(doubt !== undefined)
  const submit = useMutation({
    mutationFn: (sent: Sent) =>
      send((idempotencyKey) => props.onSubmit({ text: readFields(sent.fields), idempotencyKey }), sent),
    onSuccess: props.onClose,
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    submit.mutate(doubt ?? readSent(event.currentTarget))
  }
  const startOver = (): void => {
    forget()
    setReopened(false)
    submit.reset()
  }
  const isSummary = isReopened && doubt !== undefined
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
              {props.children && !isSummary && (
                <fieldset className={styles.dialogFields} disabled={doubt !== undefined}>
                  {props.children}
                </fieldset>
              )}
            </FieldErrors>
            {isSummary && <Facts facts={doubt.shown} />}
            {doubt && <Doubt />}
            {submit.error && !(submit.error instanceof OutcomeUnknown) && <Failure error={submit.error} />}
            <div className={styles.dialogActions}>
              <Dialog.Close className={buttonClass(false)} disabled={submit.isPending}>
                {states.cancel}
              </Dialog.Close>
              {doubt && props.children && (
                <Button disabled={submit.isPending} onClick={startOver}>
                  {states.startOver}
                </Button>
              )}
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

const Doubt = (): ReactElement => (
  <div className={styles.doubt} role="alert">
    {states.outcomeUnknown}
  </div>
)

/** A request whose outcome nobody knows has not failed; the person looks before they repeat it. */
export function Failure({ error }: { error: Error }): ReactElement {
  if (error instanceof OutcomeUnknown) return <Doubt />
  return (
    <div className={styles.refusal} role="alert">
      {error.message}
      {error instanceof ApiError && error.requestId !== undefined && (
        <span className={styles.requestId}>
          {states.requestId} {error.requestId}
        </span>
      )}
    </div>
  )
}
