import { use, useId, type ReactElement } from 'react'
import { FieldErrors } from './fields.tsx'
import styles from './ui.module.css'

interface FileFieldProps {
  name: string
  label: string
  hint: string
  accept: string
  onChoose: (file: File | undefined) => void
}

/** Passes the file on as soon as it is chosen, because its content is read before it is sent. */
export function FileField({ name, label, hint, accept, onChoose }: FileFieldProps): ReactElement {
  const id = useId()
  const error = use(FieldErrors).get(name)
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        className={styles.control}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <span id={`${id}-hint`} className={styles.hint}>
        {hint}
      </span>
      {error !== undefined && <span className={styles.fieldError}>{error}</span>}
    </div>
  )
}
