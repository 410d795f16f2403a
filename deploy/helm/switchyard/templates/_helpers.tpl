{{- define "switchyard.name" -}}
{{- if contains "switchyard" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-switchyard" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "switchyard.version" -}}
{{- .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Takes (dict "root" $ "tag" TAG). The digest belongs to the current version only. */}}
{{- define "switchyard.image" -}}
{{- $image := .root.Values.image }}
{{- if and $image.digest (eq .tag (include "switchyard.version" .root)) }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ .tag }}{{ end }}
{{- end }}

{{/* Takes (dict "root" $ "component" NAME). */}}
{{- define "switchyard.selector" -}}
app.kubernetes.io/name: switchyard
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "switchyard.labels" -}}
{{ include "switchyard.selector" . }}
app.kubernetes.io/version: {{ .version | default (include "switchyard.version" .root) | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* The secret settings that a process needs, as files. Takes (dict "root" $ "names" LIST). */}}
{{- define "switchyard.secretEnv" -}}
{{- range .names }}
- name: {{ . }}_FILE
  value: /run/switchyard/{{ . }}
{{- end }}
{{- end }}

{{- define "switchyard.secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- $secrets := .root.Values.secrets }}
      {{- range .names }}
      {{- $reference := index $secrets . }}
      - secret:
          name: {{ $reference.name }}
          items:
            - key: {{ $reference.key | default . }}
              path: {{ . }}
      {{- end }}
{{- end }}

{{- define "switchyard.secretMount" -}}
- name: secrets
  mountPath: /run/switchyard
  readOnly: true
{{- end }}

{{/* Every secret setting but the owner's URL, as a JSON list. */}}
{{- define "switchyard.runtimeSecrets" -}}
{{- without (keys .Values.secrets | sortAlpha) "DATABASE_OWNER_URL" | toJson }}
{{- end }}

{{- define "switchyard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "switchyard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What all pods have. */}}
{{- define "switchyard.podBase" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "switchyard.podSecurity" . | nindent 2 }}
{{- end }}

{{/* Copies are spread over zones and machines. Takes (dict "root" $ "component" NAME). */}}
{{- define "switchyard.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "switchyard.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{- define "switchyard.nodeOptions" -}}
- name: NODE_OPTIONS
  value: --max-old-space-size=512
{{- end }}

{{/* The keys that are destroyed when a person is erased lie on a volume that all pods share and no backup contains. */}}
{{- define "switchyard.personKeysMount" -}}
{{- $directory := .Values.settings.PERSON_KEYS_DIR }}
{{- if and $directory (not .Values.personKeys.claimName) }}
{{- fail "settings.PERSON_KEYS_DIR needs personKeys.claimName: the file system of the image cannot be written" }}
{{- end }}
{{- if .Values.personKeys.claimName }}
- name: person-keys
  mountPath: {{ required "personKeys.claimName needs settings.PERSON_KEYS_DIR" $directory }}
{{- end }}
{{- end }}

{{- define "switchyard.personKeysVolume" -}}
{{- with .Values.personKeys.claimName }}
- name: person-keys
  persistentVolumeClaim:
    claimName: {{ . }}
{{- end }}
{{- end }}

{{/* The pods of a version of the worker. Takes (dict "root" $ "tag" TAG "url" ADDRESS "labels" YAML). */}}
{{- define "switchyard.workerTemplate" -}}
metadata:
  labels:
    {{- .labels | nindent 4 }}
    {{- with .root.Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    switchyard/settings: {{ include "switchyard.settings" .root | sha256sum }}
spec:
  {{- include "switchyard.podBase" .root | nindent 2 }}
  # Steps in progress get 25 seconds to finish; the engine resumes the rest elsewhere.
  terminationGracePeriodSeconds: 40
  {{- include "switchyard.spread" (dict "root" .root "component" "worker") | nindent 2 }}
  containers:
    - name: worker
      image: {{ include "switchyard.image" . }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [worker]
      ports:
        - name: restate
          containerPort: 9080
        - name: metrics
          containerPort: 9465
      envFrom:
        - configMapRef:
            name: {{ include "switchyard.name" .root }}-settings
      env:
        {{- include "switchyard.nodeOptions" .root | nindent 8 }}
        {{- with .url }}
        - name: ENGINE_WORKER_URL
          value: {{ . }}
        {{- end }}
        {{- include "switchyard.secretEnv" (dict "names" (include "switchyard.runtimeSecrets" .root | fromJsonArray)) | nindent 8 }}
      volumeMounts:
        {{- include "switchyard.secretMount" .root | nindent 8 }}
        {{- include "switchyard.personKeysMount" .root | nindent 8 }}
      startupProbe:
        tcpSocket: { port: restate }
        periodSeconds: 2
        failureThreshold: 60
      # Not /readyz: a restart mends no outage of Postgres or the engine.
      livenessProbe:
        tcpSocket: { port: restate }
        periodSeconds: 10
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: metrics }
        periodSeconds: 5
      resources:
        {{- toYaml .root.Values.worker.resources | nindent 8 }}
      securityContext:
        {{- include "switchyard.containerSecurity" .root | nindent 8 }}
  volumes:
    {{- include "switchyard.secretVolume" (dict "root" .root "names" (include "switchyard.runtimeSecrets" .root | fromJsonArray)) | nindent 4 }}
    {{- include "switchyard.personKeysVolume" .root | nindent 4 }}
{{- end }}

{{/* Numbers come as floats, and 1000000 must not become 1e+06. */}}
{{- define "switchyard.settings" -}}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}
{{- end }}
{{- end }}
