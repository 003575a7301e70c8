/* SPDX-License-Identifier: Apache-2.0 */
/** Objects of a pod and their keys, as Kubernetes 1.34 has them; printed by ci/pod_schema.py.
 *  KEY:TYPE each, KEY!:TYPE for one that must be there. A TYPE is s a text, i a whole number, n a
 *  number, b a boolean, q a quantity, x a number or text, o any object, [TYPE a list, {TYPE an
 * object whose keys are free, or the name of another object. */
#ifndef MF_SIMCTL_POD_SCHEMA_H
#define MF_SIMCTL_POD_SCHEMA_H

/* clang-format off */
#define SIMCTL_POD_LIST(X) \
    X(AWSElasticBlockStoreVolumeSource, \
      "fsType:s partition:i readOnly:b volumeID!:s") \
    X(Affinity, \
      "nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity") \
    X(AppArmorProfile, \
      "localhostProfile:s type!:s") \
    X(AzureDiskVolumeSource, \
      "cachingMode:s diskName!:s diskURI!:s fsType:s kind:s readOnly:b") \
    X(AzureFileVolumeSource, \
      "readOnly:b secretName!:s shareName!:s") \
    X(CSIVolumeSource, \
      "driver!:s fsType:s nodePublishSecretRef:LocalObjectReference readOnly:b " \
      "volumeAttributes:{s") \
    X(Capabilities, \
      "add:[s drop:[s") \
    X(CephFSVolumeSource, \
      "monitors!:[s path:s readOnly:b secretFile:s secretRef:LocalObjectReference user:s") \
    X(CinderVolumeSource, \
      "fsType:s readOnly:b secretRef:LocalObjectReference volumeID!:s") \
    X(ClusterTrustBundleProjection, \
      "labelSelector:LabelSelector name:s optional:b path!:s signerName:s") \
    X(ConfigMapEnvSource, \
      "name:s optional:b") \
    X(ConfigMapKeySelector, \
      "key!:s name:s optional:b") \
    X(ConfigMapProjection, \
      "items:[KeyToPath name:s optional:b") \
    X(ConfigMapVolumeSource, \
      "defaultMode:i items:[KeyToPath name:s optional:b") \
    X(Container, \
      "args:[s command:[s env:[EnvVar envFrom:[EnvFromSource image:s imagePullPolicy:s " \
      "lifecycle:Lifecycle livenessProbe:Probe name!:s ports:[ContainerPort " \
      "readinessProbe:Probe resizePolicy:[ContainerResizePolicy resources:ResourceRequirements " \
      "restartPolicy:s restartPolicyRules:[ContainerRestartRule securityContext:SecurityContext " \
      "startupProbe:Probe stdin:b stdinOnce:b terminationMessagePath:s " \
      "terminationMessagePolicy:s tty:b volumeDevices:[VolumeDevice volumeMounts:[VolumeMount " \
      "workingDir:s") \
    X(ContainerPort, \
      "containerPort!:i hostIP:s hostPort:i name:s protocol:s") \
    X(ContainerResizePolicy, \
      "resourceName!:s restartPolicy!:s") \
    X(ContainerRestartRule, \
      "action!:s exitCodes:ContainerRestartRuleOnExitCodes") \
    X(ContainerRestartRuleOnExitCodes, \
      "operator!:s values:[i") \
    X(DownwardAPIProjection, \
      "items:[DownwardAPIVolumeFile") \
    X(DownwardAPIVolumeFile, \
      "fieldRef:ObjectFieldSelector mode:i path!:s resourceFieldRef:ResourceFieldSelector") \
    X(DownwardAPIVolumeSource, \
      "defaultMode:i items:[DownwardAPIVolumeFile") \
    X(EmptyDirVolumeSource, \
      "medium:s sizeLimit:q") \
    X(EnvFromSource, \
      "configMapRef:ConfigMapEnvSource prefix:s secretRef:SecretEnvSource") \
    X(EnvVar, \
      "name!:s value:s valueFrom:EnvVarSource") \
    X(EnvVarSource, \
      "configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector " \
      "fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector " \
      "secretKeyRef:SecretKeySelector") \
    X(EphemeralContainer, \
      "args:[s command:[s env:[EnvVar envFrom:[EnvFromSource image:s imagePullPolicy:s " \
      "lifecycle:Lifecycle livenessProbe:Probe name!:s ports:[ContainerPort " \
      "readinessProbe:Probe resizePolicy:[ContainerResizePolicy resources:ResourceRequirements " \
      "restartPolicy:s restartPolicyRules:[ContainerRestartRule securityContext:SecurityContext " \
      "startupProbe:Probe stdin:b stdinOnce:b targetContainerName:s terminationMessagePath:s " \
      "terminationMessagePolicy:s tty:b volumeDevices:[VolumeDevice volumeMounts:[VolumeMount " \
      "workingDir:s") \
    X(EphemeralVolumeSource, \
      "volumeClaimTemplate:PersistentVolumeClaimTemplate") \
    X(ExecAction, \
      "command:[s") \
    X(FCVolumeSource, \
      "fsType:s lun:i readOnly:b targetWWNs:[s wwids:[s") \
    X(FileKeySelector, \
      "key!:s optional:b path!:s volumeName!:s") \
    X(FlexVolumeSource, \
      "driver!:s fsType:s options:{s readOnly:b secretRef:LocalObjectReference") \
    X(FlockerVolumeSource, \
      "datasetName:s datasetUUID:s") \
    X(GCEPersistentDiskVolumeSource, \
      "fsType:s partition:i pdName!:s readOnly:b") \
    X(GRPCAction, \
      "port!:i service:s") \
    X(GitRepoVolumeSource, \
      "directory:s repository!:s revision:s") \
    X(GlusterfsVolumeSource, \
      "endpoints!:s path!:s readOnly:b") \
    X(HTTPGetAction, \
      "host:s httpHeaders:[HTTPHeader path:s port!:x scheme:s") \
    X(HTTPHeader, \
      "name!:s value!:s") \
    X(HostAlias, \
      "hostnames:[s ip!:s") \
    X(HostPathVolumeSource, \
      "path!:s type:s") \
    X(ISCSIVolumeSource, \
      "chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn!:s iscsiInterface:s " \
      "lun!:i portals:[s readOnly:b secretRef:LocalObjectReference targetPortal!:s") \
    X(ImageVolumeSource, \
      "pullPolicy:s reference:s") \
    X(KeyToPath, \
      "key!:s mode:i path!:s") \
    X(LabelSelector, \
      "matchExpressions:[LabelSelectorRequirement matchLabels:{s") \
    X(LabelSelectorRequirement, \
      "key!:s operator!:s values:[s") \
    X(Lifecycle, \
      "postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:s") \
    X(LifecycleHandler, \
      "exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction") \
    X(LocalObjectReference, \
      "name:s") \
    X(ManagedFieldsEntry, \
      "apiVersion:s fieldsType:s fieldsV1:o manager:s operation:s subresource:s time:s") \
    X(NFSVolumeSource, \
      "path!:s readOnly:b server!:s") \
    X(NodeAffinity, \
      "preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm " \
      "requiredDuringSchedulingIgnoredDuringExecution:NodeSelector") \
    X(NodeSelector, \
      "nodeSelectorTerms!:[NodeSelectorTerm") \
    X(NodeSelectorRequirement, \
      "key!:s operator!:s values:[s") \
    X(NodeSelectorTerm, \
      "matchExpressions:[NodeSelectorRequirement matchFields:[NodeSelectorRequirement") \
    X(ObjectFieldSelector, \
      "apiVersion:s fieldPath!:s") \
    X(ObjectMeta, \
      "annotations:{s creationTimestamp:s deletionGracePeriodSeconds:i deletionTimestamp:s " \
      "finalizers:[s generateName:s generation:i labels:{s managedFields:[ManagedFieldsEntry " \
      "name:s namespace:s ownerReferences:[OwnerReference resourceVersion:s selfLink:s uid:s") \
    X(OwnerReference, \
      "apiVersion!:s blockOwnerDeletion:b controller:b kind!:s name!:s uid!:s") \
    X(PersistentVolumeClaimSpec, \
      "accessModes:[s dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference " \
      "resources:VolumeResourceRequirements selector:LabelSelector storageClassName:s " \
      "volumeAttributesClassName:s volumeMode:s volumeName:s") \
    X(PersistentVolumeClaimTemplate, \
      "metadata:ObjectMeta spec!:PersistentVolumeClaimSpec") \
    X(PersistentVolumeClaimVolumeSource, \
      "claimName!:s readOnly:b") \
    X(PhotonPersistentDiskVolumeSource, \
      "fsType:s pdID!:s") \
    X(PodAffinity, \
      "preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm " \
      "requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm") \
    X(PodAffinityTerm, \
      "labelSelector:LabelSelector matchLabelKeys:[s mismatchLabelKeys:[s " \
      "namespaceSelector:LabelSelector namespaces:[s topologyKey!:s") \
    X(PodAntiAffinity, \
      "preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm " \
      "requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm") \
    X(PodCertificateProjection, \
      "certificateChainPath:s credentialBundlePath:s keyPath:s keyType!:s " \
      "maxExpirationSeconds:i signerName!:s") \
    X(PodDNSConfig, \
      "nameservers:[s options:[PodDNSConfigOption searches:[s") \
    X(PodDNSConfigOption, \
      "name:s value:s") \
    X(PodOS, \
      "name!:s") \
    X(PodReadinessGate, \
      "conditionType!:s") \
    X(PodResourceClaim, \
      "name!:s resourceClaimName:s resourceClaimTemplateName:s") \
    X(PodSchedulingGate, \
      "name!:s") \
    X(PodSecurityContext, \
      "appArmorProfile:AppArmorProfile fsGroup:i fsGroupChangePolicy:s runAsGroup:i " \
      "runAsNonRoot:b runAsUser:i seLinuxChangePolicy:s seLinuxOptions:SELinuxOptions " \
      "seccompProfile:SeccompProfile supplementalGroups:[i supplementalGroupsPolicy:s " \
      "sysctls:[Sysctl windowsOptions:WindowsSecurityContextOptions") \
    X(PodSpec, \
      "activeDeadlineSeconds:i affinity:Affinity automountServiceAccountToken:b " \
      "containers!:[Container dnsConfig:PodDNSConfig dnsPolicy:s enableServiceLinks:b " \
      "ephemeralContainers:[EphemeralContainer hostAliases:[HostAlias hostIPC:b hostNetwork:b " \
      "hostPID:b hostUsers:b hostname:s hostnameOverride:s " \
      "imagePullSecrets:[LocalObjectReference initContainers:[Container nodeName:s " \
      "nodeSelector:{s os:PodOS overhead:{q preemptionPolicy:s priority:i priorityClassName:s " \
      "readinessGates:[PodReadinessGate resourceClaims:[PodResourceClaim " \
      "resources:ResourceRequirements restartPolicy:s runtimeClassName:s schedulerName:s " \
      "schedulingGates:[PodSchedulingGate securityContext:PodSecurityContext serviceAccount:s " \
      "serviceAccountName:s setHostnameAsFQDN:b shareProcessNamespace:b subdomain:s " \
      "terminationGracePeriodSeconds:i tolerations:[Toleration " \
      "topologySpreadConstraints:[TopologySpreadConstraint volumes:[Volume") \
    X(PortworxVolumeSource, \
      "fsType:s readOnly:b volumeID!:s") \
    X(PreferredSchedulingTerm, \
      "preference!:NodeSelectorTerm weight!:i") \
    X(Probe, \
      "exec:ExecAction failureThreshold:i grpc:GRPCAction httpGet:HTTPGetAction " \
      "initialDelaySeconds:i periodSeconds:i successThreshold:i tcpSocket:TCPSocketAction " \
      "terminationGracePeriodSeconds:i timeoutSeconds:i") \
    X(ProjectedVolumeSource, \
      "defaultMode:i sources:[VolumeProjection") \
    X(QuobyteVolumeSource, \
      "group:s readOnly:b registry!:s tenant:s user:s volume!:s") \
    X(RBDVolumeSource, \
      "fsType:s image!:s keyring:s monitors!:[s pool:s readOnly:b " \
      "secretRef:LocalObjectReference user:s") \
    X(ResourceClaim, \
      "name!:s request:s") \
    X(ResourceFieldSelector, \
      "containerName:s divisor:q resource!:s") \
    X(ResourceRequirements, \
      "claims:[ResourceClaim limits:{q requests:{q") \
    X(SELinuxOptions, \
      "level:s role:s type:s user:s") \
    X(ScaleIOVolumeSource, \
      "fsType:s gateway!:s protectionDomain:s readOnly:b secretRef!:LocalObjectReference " \
      "sslEnabled:b storageMode:s storagePool:s system!:s volumeName:s") \
    X(SeccompProfile, \
      "localhostProfile:s type!:s") \
    X(SecretEnvSource, \
      "name:s optional:b") \
    X(SecretKeySelector, \
      "key!:s name:s optional:b") \
    X(SecretProjection, \
      "items:[KeyToPath name:s optional:b") \
    X(SecretVolumeSource, \
      "defaultMode:i items:[KeyToPath optional:b secretName:s") \
    X(SecurityContext, \
      "allowPrivilegeEscalation:b appArmorProfile:AppArmorProfile capabilities:Capabilities " \
      "privileged:b procMount:s readOnlyRootFilesystem:b runAsGroup:i runAsNonRoot:b " \
      "runAsUser:i seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile " \
      "windowsOptions:WindowsSecurityContextOptions") \
    X(ServiceAccountTokenProjection, \
      "audience:s expirationSeconds:i path!:s") \
    X(SleepAction, \
      "seconds!:i") \
    X(StorageOSVolumeSource, \
      "fsType:s readOnly:b secretRef:LocalObjectReference volumeName:s volumeNamespace:s") \
    X(Sysctl, \
      "name!:s value!:s") \
    X(TCPSocketAction, \
      "host:s port!:x") \
    X(Toleration, \
      "effect:s key:s operator:s tolerationSeconds:i value:s") \
    X(TopologySpreadConstraint, \
      "labelSelector:LabelSelector matchLabelKeys:[s maxSkew!:i minDomains:i " \
      "nodeAffinityPolicy:s nodeTaintsPolicy:s topologyKey!:s whenUnsatisfiable!:s") \
    X(TypedLocalObjectReference, \
      "apiGroup:s kind!:s name!:s") \
    X(TypedObjectReference, \
      "apiGroup:s kind!:s name!:s namespace:s") \
    X(Volume, \
      "awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource " \
      "azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource " \
      "configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource " \
      "emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource " \
      "flexVolume:FlexVolumeSource flocker:FlockerVolumeSource " \
      "gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource " \
      "glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource " \
      "iscsi:ISCSIVolumeSource name!:s nfs:NFSVolumeSource " \
      "persistentVolumeClaim:PersistentVolumeClaimVolumeSource " \
      "photonPersistentDisk:PhotonPersistentDiskVolumeSource " \
      "portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource " \
      "quobyte:QuobyteVolumeSource rbd:RBDVolumeSource scaleIO:ScaleIOVolumeSource " \
      "secret:SecretVolumeSource storageos:StorageOSVolumeSource " \
      "vsphereVolume:VsphereVirtualDiskVolumeSource") \
    X(VolumeDevice, \
      "devicePath!:s name!:s") \
    X(VolumeMount, \
      "mountPath!:s mountPropagation:s name!:s readOnly:b recursiveReadOnly:s subPath:s " \
      "subPathExpr:s") \
    X(VolumeProjection, \
      "clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection " \
      "downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection " \
      "secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection") \
    X(VolumeResourceRequirements, \
      "limits:{q requests:{q") \
    X(VsphereVirtualDiskVolumeSource, \
      "fsType:s storagePolicyID:s storagePolicyName:s volumePath!:s") \
    X(WeightedPodAffinityTerm, \
      "podAffinityTerm!:PodAffinityTerm weight!:i") \
    X(WindowsSecurityContextOptions, \
      "gmsaCredentialSpec:s gmsaCredentialSpecName:s hostProcess:b runAsUserName:s")
/* clang-format on */

#endif
