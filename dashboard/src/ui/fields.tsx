import { createContext, use, useId, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import styles from './ui.module.css'

/** What the server said about the fields of the form, by their names. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map())

interface FieldProps {
  name: string
  label: string
  hint?: ReactNode
}

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby' | 'aria-invalid'>

/** A label, the control, a hint, and what the server refused about it. */
function Field({
  name,
  label,
  hint,
  children,
}: FieldProps & { children: (props: ControlProps) => ReactNode }): ReactElement {
  const id = useId()
  const error = use(FieldErrors).get(name)
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        ...(describedBy !== '' && { 'aria-describedby': describedBy }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.fieldError}>
          {error}
        </span>
      )}
    </div>
  )
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'name'>

export const TextField = ({ name, label, hint, ...props }: TextFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => <input type="text" autoComplete="off" {...props} {...control} className={styles.control} />}
  </Field>
)

type AreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'name'>

export const AreaField = ({ name, label, hint, ...props }: AreaFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => <textarea rows={3} {...props} {...control} className={styles.control} />}
  </Field>
)

type SelectFieldProps = FieldProps &
  Omit<ComponentProps<'select'>, 'id' | 'name'> & { options: Readonly<Record<string, string>> }

/** The options are words by their values. */
export const SelectField = ({ name, label, hint, options, ...props }: SelectFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => (
      <select {...props} {...control} className={styles.control}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)
