import { createContext, use, useId, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import styles from './ui.module.css'

/** The server's errors about the fields of the form, by field name. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map())

interface FieldProps {
  name: string
  label: string
  hint?: ReactNode
}

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby' | 'aria-invalid'>

/** A label, the control, a hint, and the server's error. */
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
  Omit<ComponentProps<'select'>, 'id' | 'name'> & {
    /** Labels by value. A record would put numeric keys first, so such options need a map. */
    options: Readonly<Record<string, string>> | ReadonlyMap<string, string>
    /** The placeholder: a first option without a value, so that nothing is chosen by accident. */
    placeholder?: string
  }

export const SelectField = ({
  name,
  label,
  hint,
  options,
  placeholder,
  ...props
}: SelectFieldProps): ReactElement => (
  <Field {...{ name, label, hint }}>
    {(control) => (
      <select {...props} {...control} className={styles.control}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {[...(options instanceof Map ? options : new Map(Object.entries(options)))].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)
