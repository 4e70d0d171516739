namespace Driftmail;

/// A bottle with letters in it. Picking it up adds them to the bag.
public sealed class Bottle : Script
{
    public int letters = 1;
    public Vector2 drift;

    void Picked() => Hud.Show(Assets.Load<Texture>("ui/stamp.png"), $"{letters} letters");
}
