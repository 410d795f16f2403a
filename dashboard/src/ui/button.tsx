import type { ComponentProps, ReactElement } from 'react'
import styles from './ui.module.css'

type ButtonProps = ComponentProps<'button'> & { isPrimary?: boolean }

export const Button = ({ isPrimary = false, className = '', ...props }: ButtonProps): ReactElement => (
  <button
    type="button"
    {...props}
    className={`${styles.button} ${isPrimary ? styles.primary : ''} ${className}`}
  />
)

export const buttonClass = (isPrimary: boolean): string =>
  `${styles.button} ${isPrimary ? styles.primary : ''}`
