import type { ComponentChildren } from 'preact';

interface Props {
  children: ComponentChildren;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onFiles(files: File[]): void;
}

/** Opens files of the user. */
export function FileButton({ children, accept, multiple, disabled, onFiles }: Props) {
  return (
    <label class={`button file-button ${disabled ? 'off' : ''}`}>
      {children}
      <input
        type="file"
        multiple={multiple}
        accept={accept}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = ''; // the same file can be chosen again
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
